"""The choice of the GVGAI framework's sample agent: the most visits, or the best mean if all visits are equal."""

from __future__ import annotations

import numpy as np

from paidia.search.final_move.base import Draws, FinalMove, RootTable, best_in_turn
from paidia.search.registry import FINAL_MOVES

__all__ = ["SampleChoice"]


@FINAL_MOVES.register("sample")
class SampleChoice(FinalMove):
    """Most visits, else the best mean; moves in the order of their numbers."""

    options = ()

    def choose_at(self, root: RootTable, draws: Draws) -> int | None:
        order = [int(i) for i in np.argsort(root.moves, kind="stable") if root.known[i]]
        equal = len({float(root.visits[i]) for i in order}) <= 1
        values = root.means if equal else root.visits
        return best_in_turn(order, [float(values[i]) for i in order], draws)
