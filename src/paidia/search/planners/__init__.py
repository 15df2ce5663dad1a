"""Whole searches on the same frame as the tree search, one per file: one step, evolution, a hybrid, and rooms for each family."""
