"""What a search returns."""

from __future__ import annotations

import msgspec

__all__ = ["RootMove", "SearchResult"]


class RootMove(msgspec.Struct, frozen=True):
    """One move at the root: how often it was tried, and its mean result in [0, 1]."""

    move: int
    visits: int
    mean: float


class SearchResult(msgspec.Struct, frozen=True):
    """The move chosen and what it rests on.

    Attributes:
        move: The move to play, None if the role does not act here.
        moves: All moves of the role at the root, in generation order.
        simulations: How many were run.
        seconds: How long they took.
        steps: Joint moves played in all simulations together.
        depth: Joint moves in the tree part of the deepest simulation.
        nodes: Size of the tree.
    """

    move: int | None
    moves: list[RootMove]
    simulations: int
    seconds: float
    steps: int
    depth: int
    nodes: int
