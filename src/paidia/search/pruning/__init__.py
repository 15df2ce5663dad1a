"""Pruning: which moves selection leaves out at a node. One strategy per file; an agent may have several."""
