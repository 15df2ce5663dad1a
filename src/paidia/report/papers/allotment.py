"""Which cells of an average get the next matches: those that narrow its interval most for their time.

Every game counts alike in an average, so its variance is the sum of spread / n over its cells, and a pair more of a cell takes
spread (1 / n - 1 / (n + pair)) away. Played where that is most for a second of it, n comes to be in proportion to
sqrt(spread / seconds) (Neyman 1934, with costs: Cochran 1977, section 5.5): games that always end alike, or last long, get few.

A spread is the smoothed one of `worth_of`, so that what has ended alike so far is never taken to be certain and goes on getting
matches; without that, a game that seldom ends otherwise would be looked at no more after some bad luck.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

import msgspec

from paidia.report.statistics import Stratum, smooth_spread

__all__ = ["Place", "allot"]


class Place(msgspec.Struct, frozen=True):
    """A cell that matches may go to.

    Attributes:
        strata: What is known of each assignment of its roles; none of those without a match.
        seats: How many assignments there are: so many matches are played at a time.
        seconds: What a match takes.
    """

    strata: tuple[Stratum, ...]
    seats: int
    seconds: float

    @property
    def n(self) -> float:
        """Matches that it has."""
        return sum(part.n for part in self.strata)

    @property
    def spread(self) -> float:
        """The variance of a match inside its strata."""
        return sum(map(smooth_spread, self.strata)) / len(self.strata)

    def benefit(self, more: int) -> float:
        """What a pair takes off the variance in a second, after so many matches more."""
        if len(self.strata) < self.seats:
            return math.inf if more == 0 else 0.0
        n = self.n + more
        return self.spread / (n * (n + self.seats) * max(self.seconds, 1e-9))


def allot(places: Sequence[Place], matches: int) -> list[int]:
    """How many of so many matches each place gets (a few more: a pair is played as a whole)."""
    given = [0] * len(places)
    waiting = [(-place.benefit(0), i) for i, place in enumerate(places)]
    heapq.heapify(waiting)
    while waiting and sum(given) < matches:
        _, i = heapq.heappop(waiting)
        given[i] += places[i].seats
        heapq.heappush(waiting, (-places[i].benefit(given[i]), i))
    return given
