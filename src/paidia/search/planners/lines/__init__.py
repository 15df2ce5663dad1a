"""Searches that keep one line of moves, the best so far: nested Monte Carlo, nested policies, most constrained first."""
