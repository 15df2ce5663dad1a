"""Playout: how a simulation goes on below the tree. One strategy per file."""
