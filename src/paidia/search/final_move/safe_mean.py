"""Highest mean with pruning in mind: the best move that is safe and shows something new, if it looks good at all.

Moves that are unsafe (BFTI) are out. The best of those that are not marked as stale (novelty-based pruning) is played if its
mean lies in the upper half of all results; otherwise the best of the stale ones is, if it is better and was tried more than
once. Soemers 2016, sections 4.1.1 and 4.1.3. Ties are broken at random.
"""

from __future__ import annotations

import numpy as np

from paidia.search.final_move.base import Draws, FinalMove, RootTable, best_in_turn
from paidia.search.registry import FINAL_MOVES

__all__ = ["SafeMean"]


@FINAL_MOVES.register("safe-mean")
class SafeMean(FinalMove):
    """The highest mean among safe moves.

    Options:
        estimates: Compare what temporal differences estimate, not means.
    """

    options = ("estimates",)

    def __init__(self, *, estimates: bool = False) -> None:
        if not isinstance(estimates, bool):
            raise ValueError(f"estimates is true or false, not {estimates!r}")
        super().__init__()
        self.estimates = estimates

    def choose_at(self, root: RootTable, draws: Draws) -> int | None:
        values = root.estimates if self.estimates else root.means
        safe = [int(i) for i in np.argsort(root.moves, kind="stable") if root.known[i] and not root.unsafe[i]]
        fresh = [i for i in safe if not root.stale[i] and root.visits[i] > 0]
        novel = best_in_turn(fresh, [float(values[i]) for i in fresh], draws)
        if novel is not None and (not root.pruning or root.qualities[novel] >= 0.5):
            return novel
        stale = [i for i in safe if root.stale[i] and root.visits[i] > 1]  # one visit is too little to overrule the mark
        other = best_in_turn(stale, [float(values[i]) for i in stale], draws)
        if novel is None and other is None:  # nothing was visited: any safe move
            return safe[0] if safe else None
        if novel is None or (other is not None and values[other] > values[novel]):
            return other
        return novel
