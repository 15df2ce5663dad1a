"""What is left of a budget that several searches share.

A budget in simulations is counted in simulations, whoever does them, so that the same seed gives the same choices; one in
seconds by the clock. Either way whoever gets a part of it is given a budget of its own that cannot exceed what is left.
"""

from __future__ import annotations

import time

from paidia.core.budget import Budget
from paidia.search.frame.result import SearchResult

__all__ = ["Meter", "Share", "Slice"]

#: Share of a clock that is never given out: for what happens between searches.
RESERVE = 0.08
#: Seconds under which a clock counts as used up.
NOTHING = 0.002


class Meter:
    """Counts what is used of a budget."""

    def __init__(self, budget: Budget, *, share: float = 1.0) -> None:
        self.counted = budget.simulations > 0
        self.total = budget.simulations * share if self.counted else budget.seconds * share * (1.0 - RESERVE)
        self._used = 0.0
        self._began = time.perf_counter()

    @property
    def used(self) -> float:
        """Simulations or seconds so far."""
        return self._used if self.counted else time.perf_counter() - self._began

    @property
    def left(self) -> float:
        """Simulations or seconds that are left."""
        return max(0.0, self.total - self.used)

    @property
    def empty(self) -> bool:
        """Whether nothing worth a search is left."""
        return self.left < (1.0 if self.counted else NOTHING)

    def count(self, simulations: int) -> None:
        """Simulations were done elsewhere."""
        self._used += simulations

    def budget(self, amount: float) -> Budget:
        """A budget of so much, or of what is left."""
        amount = min(amount, self.left)
        return Budget(simulations=max(1, int(amount))) if self.counted else Budget(seconds=max(amount, NOTHING / 4))

    def rest(self) -> Budget | None:
        """All that is left as a budget, None if that is nothing."""
        return None if self.empty else self.budget(self.left)

    def took(self, result: SearchResult) -> None:
        """A search has ended."""
        self._used += max(1, result.simulations)


class Slice(Meter):
    """A part of what another meter has."""

    def __init__(self, whole: Meter, amount: float) -> None:
        self._whole = whole
        self.counted = whole.counted
        self._start = whole.used
        self.total = min(amount, whole.left)

    @property
    def used(self) -> float:
        return self._whole.used - self._start

    @property
    def left(self) -> float:
        return min(super().left, self._whole.left)

    def count(self, simulations: int) -> None:
        self._whole.count(simulations)

    def took(self, result: SearchResult) -> None:
        self._whole.took(result)


class Share(Slice):
    """A share of what another meter has left."""

    def __init__(self, whole: Meter, share: float) -> None:
        super().__init__(whole, share * whole.left)
