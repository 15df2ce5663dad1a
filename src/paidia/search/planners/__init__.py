"""Whole searches on the same frame as the tree search: width, best-first, evolution, OLETS, one step, plans. One per file."""
