"""Highest mixed mean that also says what is proven: the choice of `mixed-mean`, and the value of the position where it is known.

    least = max over moves of low(a),  most = max over moves of high(a);  proven if they are equal

`low` and `high` are the bounds that a solver has for what a move leads to (backup `cadia`). A proven position is worth its value
to the role whatever the others do; the move chosen is one that brings it.
"""

from __future__ import annotations

from paidia.search.final_move.base import Draws, RootTable
from paidia.search.final_move.mixed_mean import MixedMean
from paidia.search.registry import FINAL_MOVES

__all__ = ["ProvenMean"]


@FINAL_MOVES.register("proven-mean")
class ProvenMean(MixedMean):
    """The move with the highest mean, and what it is proven to bring.

    Attributes:
        proven: The value of the last position that was searched, None if it is not known.
    """

    proven: float | None = None

    def choose_at(self, root: RootTable, draws: Draws) -> int:
        least, most = float(root.low.max()), float(root.high.max())
        self.proven = least if least == most else None
        return super().choose_at(root, draws)
