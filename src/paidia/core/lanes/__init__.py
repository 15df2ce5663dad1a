"""Many matches at once: the contract of vectors of environments, and one for all games."""
