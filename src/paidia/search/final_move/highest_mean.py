"""Highest mean: the move with the best average result (the max child). A move without visits comes last."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paidia.search.final_move.base import FinalMove, Visits
from paidia.search.registry import FINAL_MOVES

__all__ = ["HighestMean"]


@FINAL_MOVES.register("highest-mean")
class HighestMean(FinalMove):
    """The move with the highest mean result."""

    def scores(self, visits: Visits, means: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.where(visits > 0, means, -np.inf)
