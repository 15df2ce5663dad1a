"""Conformance kits: what paidia checks its own games, strategies, tuners and players with, for users to inherit."""
