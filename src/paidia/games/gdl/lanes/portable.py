"""What every back end of lane programs shares, with nothing but numpy: operations, random planes, saved programs.

Random planes come from one multiply-with-carry generator for each 32 lanes (`random_state`); every step takes the next words
of its stream, one for each random plane. So lane i plays the same game under the same seed wherever it runs.
"""

from __future__ import annotations

import json
from enum import IntEnum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["MULTIPLIER", "ROUTINES", "Op", "random_state", "random_words", "read_saved"]

#: The routines of a program.
ROUTINES = ("step", "goals", "leaf", "look", "play")


class Op(IntEnum):
    """What an operation makes of a, b and c; the order is that of operations.h."""

    AND = 0
    ANDNOT = 1  # ~a & b
    OR = 2
    XOR = 3
    XOR3 = 4
    MAJORITY = 5
    MAJORITY_NOT = 6  # at least two of ~a, b, c
    SELECT = 7  # a ? b : c
    SELECT_NOT = 8  # a ? ~b : c
    NOT = 9
    ZERO = 10
    OUT = 11  # plane b becomes a
    OUT_NOT = 12  # plane b becomes ~a
    MARK = 13  # end of part a
    LOOP = 14  # what follows up to END is repeated until nothing changes
    GROW = 15  # the value becomes itself or a
    GROW_NOT = 16
    END = 17
    ADD = 18  # of those who run a schedule: XOR3 into one plane, MAJORITY into another
    ADD_NOT = 19
    STOP = 20


#: Of the multiply-with-carry generator (MWC64X): x' = low half of x * MULTIPLIER + c, c' = its high half, output x ^ c.
MULTIPLIER = 4294883355


def random_state(seed: int, words: int, first: int = 0) -> NDArray[np.uint64]:
    """The generators of some 32-lane words, c in the high half and x in the low one; they differ for every word and seed."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed & (2**64 - 1)) + np.arange(first + 1, first + words + 1, dtype=np.uint64) * np.uint64(
            0x9E3779B97F4A7C15
        )
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    carry = (z >> np.uint64(32)) % np.uint64(MULTIPLIER - 2) + np.uint64(1)  # neither of the two states that stay for ever
    return (carry << np.uint64(32)) | (z & np.uint64(0xFFFFFFFF))


def random_words(state: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """The next word of each generator; the states move on."""
    low, high = state & np.uint64(0xFFFFFFFF), state >> np.uint64(32)
    state[:] = low * np.uint64(MULTIPLIER) + high
    return (low ^ high).astype(np.uint32)


# ------------------------------------------------------------------ saved programs


def read_saved(path: str | Path) -> Any:
    """A program from a file that `LaneProgram.save` wrote, as plain attributes; unlike `LaneProgram.load` it checks nothing."""
    with np.load(path, allow_pickle=False) as found:
        facts = json.loads(found["facts"].tobytes())
        for name in ROUTINES:
            n_inputs, n_planes = facts[name]
            facts[name] = SimpleNamespace(rows=found[f"{name}_rows"], n_inputs=n_inputs, n_planes=n_planes)
    return SimpleNamespace(**facts)
