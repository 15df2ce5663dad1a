"""The papers: their tables and printed numbers, ours beside them, verdicts and claims, and the pages that tell it all."""
