"""Evaluation: what the last situation of a simulation is worth. One strategy per file."""
