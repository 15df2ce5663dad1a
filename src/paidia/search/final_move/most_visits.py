"""Most visits: the move that the search tried most often (the robust child). Ties: `ties`, as stated by the agent."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paidia.search.final_move.base import FinalMove, Visits
from paidia.search.registry import FINAL_MOVES

__all__ = ["MostVisits"]


@FINAL_MOVES.register("most-visits")
class MostVisits(FinalMove):
    """The move with the most visits."""

    def scores(self, visits: Visits, means: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return visits.astype(np.float64)
