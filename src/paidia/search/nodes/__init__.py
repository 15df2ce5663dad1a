"""The tree: its nodes and edges, their memory, what stays of them from move to move, proofs, its shape."""
