"""The base of final-move strategies. They run once per search, so they are plain Python."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["FinalMove"]


class FinalMove:
    """Chooses a move of the root by its statistics.

    Options:
        ties: "random" draws among moves of equal score, "first" takes the first in generation order.

    Attributes:
        options: Names of the keyword arguments that a preset may set.
    """

    options: tuple[str, ...] = ("ties",)

    def __init__(self, *, ties: str = "random") -> None:
        if ties not in ("random", "first"):
            raise ValueError(f"ties are broken 'random' or 'first', not {ties!r}")
        self.ties = ties

    def scores(self, visits: npt.NDArray[np.int32], means: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """How good each move is; the highest is played."""
        raise NotImplementedError

    def choose(
        self, visits: npt.NDArray[np.int32], means: npt.NDArray[np.float64], random: float
    ) -> int:
        """The index of the move to play; `random` in [0, 1) decides ties."""
        scores = self.scores(visits, means)
        best = np.flatnonzero(scores == scores.max())
        return int(best[0] if self.ties == "first" else best[int(random * len(best))])
