"""Highest mean: the move with the best average result (the max child). A move without visits counts as -1 (spec 1.7)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paidia.search.final_move.base import FinalMove
from paidia.search.registry import FINAL_MOVES

__all__ = ["HighestMean"]


@FINAL_MOVES.register("highest-mean")
class HighestMean(FinalMove):
    """The move with the highest mean result."""

    def scores(self, visits: npt.NDArray[np.int32], means: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.where(visits > 0, means, -1.0)
