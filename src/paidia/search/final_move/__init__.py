"""Final move: which move of the root is played when the budget is used. One strategy per file."""
