"""A match: referee, clocks, and the record that replays to the same result."""
