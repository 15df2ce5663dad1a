"""One root seed per experiment, spawned per match, seat and search: same seed, same moves, on any machine.

A seed is spawned along a path of integers (match number, seat, turn, ...), never drawn in sequence, so that the order
in which matches happen to run cannot change any of them.
"""

from __future__ import annotations

import numpy as np

from paidia.core.errors import BadInput

__all__ = ["spawn"]


def spawn(seed: int, *path: int) -> int:
    """A 64-bit seed for the place `path` below the root `seed`; different paths give independent streams."""
    if seed < 0:
        raise BadInput(f"the seed must be 0 or larger, not {seed}")
    sequence = np.random.SeedSequence(seed, spawn_key=tuple(path))
    return int(sequence.generate_state(1, np.uint64)[0])
