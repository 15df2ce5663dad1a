"""Selection: which move a role tries at a node of the tree. One strategy per file."""
