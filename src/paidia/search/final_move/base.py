"""The base of final-move strategies. They run once per search, so they are plain Python."""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

__all__ = ["FinalMove", "RootTable"]


class RootTable(msgspec.Struct, frozen=True):
    """What a search knows of a role's moves at the root, in generation order.

    Attributes:
        visits: Visits of each move.
        means: Mean result of each in [0, 1], 0 without visits.
        node_visits: Visits of the root.
        K: The present value of the parameter K.
        amaf: AMAF mean of each move, nan where there is none.
        low: The least that each move is proven to bring; 0 if nothing is known.
        high: The most that it can bring; 1 if nothing is known.
        open: Whether the move may still be the best one.
    """

    visits: npt.NDArray[np.int32]
    means: npt.NDArray[np.float64]
    node_visits: int
    K: float
    amaf: npt.NDArray[np.float64]
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    open: npt.NDArray[np.bool_]


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

    def choose(self, visits: npt.NDArray[np.int32], means: npt.NDArray[np.float64], random: float) -> int:
        """The index of the move to play; `random` in [0, 1) decides ties."""
        scores = self.scores(visits, means)
        best = np.flatnonzero(scores == scores.max())
        return int(best[0] if self.ties == "first" else best[int(random * len(best))])

    def choose_at(self, root: RootTable, random: float) -> int:
        """The same with all that the search knows; override it for a strategy that needs more than visits and means."""
        return self.choose(root.visits, root.means, random)
