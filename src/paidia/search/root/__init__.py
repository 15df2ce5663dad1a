"""Root: what happens at the start of a search, before the first simulation. One strategy per file; an agent may have several."""
