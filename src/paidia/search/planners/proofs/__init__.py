"""Searches that prove what a position is worth."""
