"""Backup: what a simulation leaves behind in the tree. One strategy per file."""
