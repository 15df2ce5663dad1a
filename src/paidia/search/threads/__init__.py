"""Several threads in one search."""
