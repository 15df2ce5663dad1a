"""Highest mixed mean that also says what is proven: the choice of `mixed-mean`, and the value of the position where it is known.

    least = max over moves of low(a),  most = max over moves of high(a);  proven if they are equal

`low` and `high` are the bounds that a solver has for what a move leads to (backup `cadia`). A proven position is worth its value
to the role whatever the others do; the move chosen is one that brings it.

The mean of a move with few visits is often high by luck alone, the more moves there are. So only moves with `trusted` times the
visits of the most visited one are compared, and those with the best that is proven: 0 trusts every mean, 1 the most visited move.
"""

from __future__ import annotations

import msgspec

from paidia.search.final_move.base import Draws, RootTable
from paidia.search.final_move.mixed_mean import MixedMean
from paidia.search.registry import FINAL_MOVES

__all__ = ["ProvenMean"]


@FINAL_MOVES.register("proven-mean")
class ProvenMean(MixedMean):
    """The move with the highest mean, and what it is proven to bring.

    Options:
        trusted: Share of the visits of the most visited move from which on a mean counts.

    Attributes:
        proven: The value of the last position that was searched, None if it is not known.
    """

    options = (*MixedMean.options, "trusted")
    proven: float | None = None

    def __init__(self, *, ties: str = "random", trusted: float = 0.0) -> None:
        super().__init__(ties=ties)
        if not 0.0 <= trusted <= 1.0:
            raise ValueError(f"trusted is a share of visits, 0 to 1, not {trusted:g}")
        self.trusted = trusted

    def choose_at(self, root: RootTable, draws: Draws) -> int:
        least, most = float(root.low.max()), float(root.high.max())
        self.proven = least if least == most else None
        enough = root.visits >= self.trusted * root.visits.max(initial=0, where=root.open)
        sure = (root.low == least) & (least > 0.0)
        return super().choose_at(msgspec.structs.replace(root, open=root.open & (enough | sure)), draws)
