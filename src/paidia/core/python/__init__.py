"""Games written in plain Python, on the same contract."""
