"""The statistics of the papers, and a few that are better. All of them work on sums, so that a database can
prepare them.

    sample interval     mean +- 1.96 s / sqrt(n), s with n - 1 over the points of each run (1, 0.5, 0): draws narrow it
    binomial interval   p +- 1.96 sqrt(p (1 - p) / n)
    Wilson interval     does not collapse at 0 % and 100 % (Wilson 1927)
    difference          from two intervals that need not be symmetric (Newcombe 1998, method 10)
    average of games    every game counts alike, and so do its levels and assignments of roles: that these differ from each other
                        is no error of the average over them, only the spread inside them is (a stratified sample; Wilson's
                        interval of the matches that it is worth)

Which paper uses which: docs/readings.md#intervals.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

__all__ = [
    "FORMULA_1",
    "Interval",
    "Stratum",
    "binomial",
    "difference",
    "evenly",
    "formula_1",
    "matches_for",
    "mean_over",
    "paired",
    "percent",
    "pool",
    "sample",
    "significant",
    "smooth_spread",
    "student",
    "wilson",
    "worth_of",
]

Z = 1.96  # as the papers round it

#: Points of the places 1 to 10 of a game in the GVGAI competition; below there are none.
FORMULA_1 = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)


class Interval(msgspec.Struct, frozen=True):
    """An estimate with its 95 % interval.

    Attributes:
        mean: The estimate.
        low: Where its interval begins.
        high: Where it ends.
        n: Matches behind it.
        worth: Matches of a plain sample that would tell as much, where that is another number: an average over games tells more
            (`worth_of`), levels that were played unequally often tell less (`evenly`).
    """

    mean: float
    low: float
    high: float
    n: int = 0
    worth: float | None = None

    @property
    def half(self) -> float:
        """Half of the width."""
        return (self.high - self.low) / 2.0

    def scaled(self, factor: float) -> Interval:
        """The same in another unit."""
        return Interval(self.mean * factor, self.low * factor, self.high * factor, self.n, self.worth)

    @property
    def gain(self) -> float:
        """What one of its matches is worth."""
        return self.worth / self.n if self.worth is not None and self.n else 1.0


def sample(n: float, total: float, squares: float) -> Interval:
    """Mean of n values with the interval of papers 000, 003 and 004 (docs/readings.md), from their sum and sum of squares."""
    if n < 1:
        return Interval(math.nan, math.nan, math.nan)
    mean = total / n
    if n == 1:
        return Interval(mean, -math.inf, math.inf, 1)
    variance = max(0.0, (squares - n * mean * mean) / (n - 1))
    half = Z * math.sqrt(variance / n)
    return Interval(mean, mean - half, mean + half, int(n))


def binomial(n: int, total: float) -> Interval:
    """Proportion with the interval of paper 001."""
    if n < 1:
        return Interval(math.nan, math.nan, math.nan)
    p = total / n
    half = Z * math.sqrt(max(0.0, p * (1.0 - p)) / n)
    return Interval(p, p - half, p + half, n)


def wilson(n: float, total: float, *, z: float = Z) -> Interval:
    """Proportion with Wilson's interval; half points count as half a win. What matches are worth need not be a whole number."""
    if n < 1:
        return Interval(math.nan, math.nan, math.nan)
    p = total / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(max(0.0, p * (1 - p)) / n + z * z / (4 * n * n))
    return Interval(p, max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half)), int(n))


def percent(mean: float, n: int, *, gain: float = 1.0, z: float = Z) -> Interval:
    """A share of points in percent with Wilson's interval, of n matches each of which is worth `gain`."""
    worth = n * gain
    plain = wilson(worth, worth * mean / 100.0, z=z).scaled(100.0)
    return Interval(plain.mean, plain.low, plain.high, n, None if gain == 1.0 else worth)


class Stratum(NamedTuple):
    """Matches that differ by chance alone, those of one game, level and assignment of roles: their number, and the sums of their
    points and of the squares of these.
    """

    n: float
    total: float
    squares: float

    @property
    def mean(self) -> float:
        """Points of a match."""
        return self.total / self.n

    def turned(self) -> Stratum:
        """The same, seen by the other side, whose points are 1 - p."""
        return Stratum(self.n, self.n - self.total, self.n - 2 * self.total + self.squares)

    def error(self, spread: float, more: int) -> float:
        """The variance of the mean, if what is known besides is worth so many matches more with this variance."""
        inside = max(0.0, self.squares - self.n * self.mean**2)
        return (inside + more * spread) / (self.n - 1 + more) / self.n


def mean_over(games: Sequence[Sequence[Stratum]]) -> float:
    """The average over games, each of which is given by its strata.

    All games count alike, and so do the strata of a game, whatever their numbers of matches: plans are balanced, so it is what a
    whole run comes to, and one that was cut inside a pair or between levels is not drawn towards what it played more of. What
    has not been played at all is not known here; such a game has the mean of its other strata.
    """
    return sum(evenly(strata).mean for strata in games) / len(games)


def evenly(strata: Sequence[Stratum]) -> Stratum:
    """A game as one stratum: as many matches, evenly over its strata, as tell its mean as well; fewer than there are if numbers
    differ.
    """
    n = len(strata) ** 2 / sum(1.0 / part.n for part in strata)
    share = n / len(strata)
    return Stratum(n, share * sum(part.mean for part in strata), share * sum(part.squares / part.n for part in strata))


def worth_of(games: Sequence[Sequence[Stratum]]) -> float:
    """How many matches, each of a game (level, assignment of roles) drawn anew, would tell `mean_over` as well as these do.

    The most of three numbers, none of which is too large on average: with the spread inside strata; with that inside games, which
    tells more where strata have a match or two (collapsed strata; Cochran 1977, section 5A.12); and as if everything had the same
    share, since a game with few matches weighs as much as one with many (it is too large if the games with few are the open
    ones). A spread is taken together with a match more of `smooth_spread`, that of a whole game with two, so that what ended
    alike a few times is not certain: found by trying which of a few such numbers let 95 % intervals hold the truth about as often
    as they say, of eight games and more, however few matches a stratum has (`tests/report/test_statistics.py`).
    """
    mean = mean_over(games)
    apart, joined, alike = 0.0, 0.0, 0.0
    for strata in games:
        whole = evenly(strata)
        spread = smooth_spread(whole)
        apart += sum(part.error(spread, 1) for part in strata) / len(strata) ** 2
        joined += whole.error(spread, 2)
        alike += 1.0 / whole.n
    return len(games) ** 2 * max(1.0 / alike, mean * (1.0 - mean) / min(apart, joined))


def smooth_spread(game: Stratum) -> float:
    """The variance of a match of a game with half a win and half a loss added, by which games that always end alike have one; the
    factor makes the expectation right for a share of a half without draws, and too large for all else.
    """
    n = game.n + 1.0
    return ((game.squares + 0.5) / n - ((game.total + 0.5) / n) ** 2) * n**2 / (n**2 - game.n)


def points_interval(n: int, total: float, squares: float, *, kind: str = "sample") -> Interval:
    """The sample (or binomial) interval of points, or Wilson's where all runs ended alike and the former has no width."""
    plain = binomial(n, total) if kind == "binomial" else sample(n, total, squares)
    return plain if n > 1 and plain.half > 0 else wilson(n, total)


def student(n: int) -> float:
    """The 97.5 % quantile of Student's t for n values: what 1.96 should be for few of them (Cornish and Fisher's expansion)."""
    if n < 2:
        return math.inf
    if n < 6:
        return (12.706, 4.303, 3.182, 2.776)[n - 2]
    z, v = 1.959964, n - 1
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + first / v + second / v**2 + third / v**3 + fourth / v**4


def difference(a: Interval, b: Interval) -> Interval:
    """The difference a - b of two independent estimates."""
    mean = a.mean - b.mean
    return Interval(
        mean,
        mean - math.hypot(a.mean - a.low, b.high - b.mean),
        mean + math.hypot(a.high - a.mean, b.mean - b.low),
        min(a.n, b.n),
    )


def significant(a: Interval, b: Interval) -> bool:
    """Whether the 95 % interval of the difference excludes 0."""
    gap = difference(a, b)
    return gap.low > 0.0 or gap.high < 0.0


def overlap(a: Interval, b: Interval) -> bool:
    """Whether two intervals overlap: the papers call a difference significant when they do not."""
    return a.low <= b.high and b.low <= a.high


def matches_for(now: Interval, half: float) -> int:
    """How many more runs bring the interval down to a half width."""
    if not half > 0 or now.n < 1 or not math.isfinite(now.half):
        return 0
    return max(0, math.ceil(now.n * (now.half / half) ** 2) - now.n)


def paired(pairs: int, total: float, squares: float) -> Interval:
    """Mean over pairs (same seed, all seats) of their points: the seed's share of the variance is gone."""
    return sample(pairs, total, squares)


def pool(parts: Iterable[tuple[int, float, float]]) -> tuple[int, float, float]:
    """Number, sum and sum of squares of several groups together, as the average rows of the papers do."""
    n, total, squares = 0, 0.0, 0.0
    for count, part, part_squares in parts:
        n, total, squares = n + count, total + part, squares + part_squares
    return n, total, squares


def formula_1(results: dict[str, tuple[float, float, float]]) -> dict[str, float]:
    """Competition points of one game. Results are (wins, mean score, ticks): more wins, then more score,
    then fewer ticks.

    Agents that tie in all three share the points of their places.
    """

    def rank(name: str) -> tuple[float, float, float]:
        wins, score, ticks = results[name]
        return -wins, -score, ticks

    order = sorted(results, key=rank)
    points: dict[str, float] = {}
    place = 0
    while place < len(order):
        tied = [name for name in order[place:] if rank(name) == rank(order[place])]
        shared = sum(FORMULA_1[place : place + len(tied)]) / len(tied)
        points.update(dict.fromkeys(tied, shared))
        place += len(tied)
    return points


def pearson(x: Sequence[float], y: Sequence[float]) -> float:
    """Correlation of two series."""
    n = len(x)
    if n != len(y) or n < 2:
        return math.nan
    mx, my = sum(x) / n, sum(y) / n
    sxy = sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True))
    sxx, syy = sum((a - mx) ** 2 for a in x), sum((b - my) ** 2 for b in y)
    return sxy / math.sqrt(sxx * syy) if sxx > 0 and syy > 0 else math.nan
