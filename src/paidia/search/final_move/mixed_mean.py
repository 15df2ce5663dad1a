"""Highest mixed mean: the mean result, mixed with AMAF as RAVE does, within what is proven.

    V(a) = (1 - beta) * Q(a) + beta * AMAF(a),   beta = sqrt( K / (3 * N + K) ),   no AMAF below beta = 0.01

V is moved into the bounds that a solver has proven for the move; a move that cannot beat what another one brings for sure
is out. Among equal ones the higher V before that decides, then chance. A move without visits comes last. Without AMAF and
bounds it is the highest mean. CadiaPlayer's choice (Finnsson and Bjornsson); its parameter: K.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from paidia.search.final_move.base import Draws, FinalMove, RootTable, Visits
from paidia.search.registry import FINAL_MOVES

__all__ = ["MixedMean"]

LEAST_BETA = 0.01


@FINAL_MOVES.register("mixed-mean")
class MixedMean(FinalMove):
    """The move with the highest mean, AMAF and proofs included."""

    def scores(self, visits: Visits, means: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.where(visits > 0, means, -np.inf)

    def choose_at(self, root: RootTable, draws: Draws) -> int:
        random = draws.random()
        beta = 1.0 if math.isinf(root.K) else math.sqrt(root.K / (3.0 * root.node_visits + root.K)) if root.K else 0.0
        beta = 0.0 if beta < LEAST_BETA else beta
        mixed = np.where(np.isnan(root.amaf), root.means, (1.0 - beta) * root.means + beta * np.nan_to_num(root.amaf))
        mixed = np.where(root.visits > 0, mixed, -1.0)
        within = np.where(root.visits > 0, np.clip(mixed, root.low, root.high), -1.0)
        within = np.where(root.open, within, -2.0)
        best = within == within.max()
        best &= mixed == mixed[best].max()
        places = np.flatnonzero(best)
        return int(places[0] if self.ties == "first" else places[int(random * len(places))])
