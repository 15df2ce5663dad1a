"""Statistics that several strategies share; a search keeps only those that one of its strategies needs."""
