"""The base of final-move strategies. They run once per search, so they are plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec
import numpy as np
import numpy.typing as npt

__all__ = ["Draws", "FinalMove", "RootTable", "Visits", "best_in_turn"]

Visits = npt.NDArray[np.int32] | npt.NDArray[np.float64]


class Draws(Protocol):
    """The search's own generator, so that the same seed gives the same choice."""

    def random(self) -> float:
        """A number in [0, 1)."""

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""


class RootTable(msgspec.Struct, frozen=True):
    """What a search knows of a role's moves at the root, in generation order.

    Attributes:
        visits: Visits of each move; shares of a visit may be left where old statistics have faded.
        means: Mean result of each, 0 without visits: in [0, 1], or of values without bounds.
        node_visits: Visits of the root.
        K: The present value of the parameter K.
        amaf: AMAF mean of each move, nan where there is none.
        low: The least that each move is proven to bring; 0 if nothing is known.
        high: The most that it can bring; 1 if nothing is known.
        open: Whether the move may still be the best one.
        moves: The moves.
        known: Whether the tree has a node for what the move leads to.
        unsafe: Left out because other moves led to fewer losses.
        stale: Left out because it led to nothing new.
        pruning: Whether some strategy marks moves as stale.
        qualities: Mean result of each on the scale of all results, in [0, 1].
        estimates: What a backup by temporal differences estimates, 0 where there is none.
    """

    visits: Visits
    means: npt.NDArray[np.float64]
    node_visits: int
    K: float
    amaf: npt.NDArray[np.float64]
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    open: npt.NDArray[np.bool_]
    moves: npt.NDArray[np.int32]
    known: npt.NDArray[np.bool_]
    unsafe: npt.NDArray[np.bool_]
    stale: npt.NDArray[np.bool_]
    pruning: bool
    qualities: npt.NDArray[np.float64]
    estimates: npt.NDArray[np.float64]


def best_in_turn(options: Sequence[int], values: Sequence[float], draws: Draws) -> int | None:
    """The option with the highest value, with a draw each time that one more of equal value comes up; None without any."""
    chosen, best, equal = None, -np.inf, 0
    for option, value in zip(options, values, strict=True):
        if value > best:
            chosen, best, equal = option, value, 1
        elif value == best:
            equal += 1
            if draws.below(equal) == 0:
                chosen = option
    return chosen


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

    def scores(self, visits: Visits, means: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """How good each move is; the highest is played."""
        raise NotImplementedError

    def choose(self, visits: Visits, means: npt.NDArray[np.float64], random: float) -> int:
        """The index of the move to play; `random` in [0, 1) decides ties."""
        scores = self.scores(visits, means)
        best = np.flatnonzero(scores == scores.max())
        return int(best[0] if self.ties == "first" else best[int(random * len(best))])

    def choose_at(self, root: RootTable, draws: Draws) -> int | None:
        """The same with all that the search knows; override it for a strategy that needs more than visits and means.

        None means that no move is worth it: the role waits, where it can.
        """
        return self.choose(root.visits, root.means, draws.random())
