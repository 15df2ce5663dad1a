"""A uniformly random legal move for every lane at once.

The moves stand in a binary search tree, one in every node. Going up, planes of adders count the legal ones below each node: the
two subtrees and the node itself are the three inputs of full adders. The number n of legal moves times a random fraction of
B bits, rounded down, is the rank of the chosen one. Going down, one comparison a level serves all nodes of that level: every
lane is in exactly one of them, so their counts are merged under the masks that say which.

The chance of a move differs from 1 / n by at most 2**-B, a share of 2**-EXTRA at most.
"""

from __future__ import annotations

from typing import NamedTuple

from paidia.games.gdl.lanes.compile.circuit import Circuit

__all__ = ["Choice", "choose", "random_bits"]

#: Random bits beyond those of the largest rank.
EXTRA = 8
TRUE, FALSE = 0, 1


class Choice(NamedTuple):
    """The outcome: a literal for each move (whether it is chosen), and the number of legal moves in binary, low bits first."""

    chosen: list[int]
    total: list[int]


def random_bits(n: int) -> int:
    """Random planes for a choice between n moves."""
    return 0 if n < 2 else n.bit_length() + EXTRA


def choose(circuit: Circuit, legal: list[int], random: list[int]) -> Choice:
    """Choose one of the moves that are legal, in every lane where there is one."""
    n = len(legal)
    if n == 0:
        return Choice([], [])
    if n == 1:
        return Choice([legal[0]], [legal[0]])
    counts: dict[tuple[int, int], list[int]] = {}
    total = _count(circuit, legal, 0, n, counts)
    rank = _scale(circuit, total, random)
    chosen = [FALSE] * n
    _descend(circuit, legal, counts, rank, chosen)
    return Choice(chosen, total)


def _root(low: int, high: int) -> int:
    """The middle of a subtree: all levels of the tree are full but the last, which is filled from the left."""
    n = high - low
    full = (1 << (n.bit_length() - 1)) - 1  # nodes above the last level
    return low + (full >> 1) + min(n - full, (full + 1) >> 1)


def _count(circuit: Circuit, legal: list[int], low: int, high: int, counts: dict[tuple[int, int], list[int]]) -> list[int]:
    """The number of legal moves among low .. high - 1, low bits first."""
    if high == low:
        return []
    middle = _root(low, high)
    left = _count(circuit, legal, low, middle, counts)
    right = _count(circuit, legal, middle + 1, high, counts)
    carry = legal[middle]
    total = []
    for bit in range(max(len(left), len(right))):
        a = left[bit] if bit < len(left) else FALSE
        b = right[bit] if bit < len(right) else FALSE
        total.append(circuit.odd(a, b, carry))
        carry = circuit.majority(a, b, carry)
    if 1 << len(total) <= high - low:
        total.append(carry)
    counts[low, high] = total
    return total


def _scale(circuit: Circuit, n: list[int], random: list[int]) -> list[int]:
    """floor(n * u / 2**B) for the random u of B bits: add n where a bit of u is set, halve, bit after bit from the lowest."""
    rank = [FALSE] * len(n)
    for u in random:
        carry = FALSE
        total = []
        for have, more in zip(rank, n, strict=True):
            add = circuit.both(u, more)
            total.append(circuit.odd(have, add, carry))
            carry = circuit.majority(have, add, carry)
        rank = [*total[1:], carry]
    return rank


def _descend(
    circuit: Circuit, legal: list[int], counts: dict[tuple[int, int], list[int]], rank: list[int], chosen: list[int]
) -> None:
    """Follow the rank down the tree, level by level."""
    level = [(0, len(legal), TRUE)]  # nodes with a mask: which lanes are there
    while level:
        inner = []
        for low, high, mask in level:
            if high - low == 1:
                chosen[low] = mask
            elif high > low:
                inner.append((low, high, mask))
        if not inner:
            return
        rank = rank[: max(high - low for low, high, _ in inner).bit_length()]
        below = [FALSE] * len(rank)  # legal moves left of the node that a lane is in
        here = FALSE  # whether the node's own move is legal
        for low, high, mask in inner:
            middle = _root(low, high)
            for bit, literal in enumerate(counts[low, middle] if middle > low else []):
                below[bit] = circuit.either(below[bit], circuit.both(mask, literal))
            here = circuit.either(here, circuit.both(mask, legal[middle]))
        # rank - below: a borrow says "left"; rank - below - here: a borrow says "left or here".
        left = FALSE
        not_right = here
        rest = []
        for have, less in zip(rank, below, strict=True):
            left = circuit.majority(have ^ 1, less, left)
            rest.append(circuit.odd(have, less, not_right))
            not_right = circuit.majority(have ^ 1, less, not_right)
        rank = [circuit.select(left, stay, go) for stay, go in zip(rank, rest, strict=True)]
        this = circuit.both(not_right, left ^ 1)
        level = []
        for low, high, mask in inner:
            middle = _root(low, high)
            chosen[middle] = circuit.both(mask, this)
            level.append((low, middle, circuit.both(mask, left)))
            level.append((middle + 1, high, circuit.both(mask, not_right ^ 1)))
