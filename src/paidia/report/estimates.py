"""One house style for what was measured: an estimate with an interval from-to at 95 %, and none where there is too little.

    share of points    Wilson's interval; half points count as half a win, which makes it a little wide where there are draws
    share over pairs   matches with the same seed and seats changed are one observation; two pairs, a lost and a won one, are
                       added before the spread is taken (Bonett and Price 2012), so that equal pairs do not mean certainty
    mean of scores     Student's interval
    difference         of shares by Zou and Donner's rule from the intervals of both (2008; Newcombe's method 10 for two
                       shares), of mean scores by the percentile bootstrap

Nothing of this leaves the range that it is about. The papers' own forms, symmetric and at times beyond 0 or 100 %, are in
`report/statistics.py`, and are shown only in columns that say so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from paidia.report.statistics import Interval, Z, difference, sample, student, wilson

__all__ = ["MINIMUM", "bootstrap_difference", "from_to", "mean_of", "share", "share_difference", "share_of_pairs"]

#: Below so many matches (or pairs) an estimate gets no interval: it would say nothing but that there are few.
MINIMUM = 10

#: Resamples of a bootstrap, and the seed of its generator: the same data give the same interval.
RESAMPLES, BOOTSTRAP_SEED = 2_000, 20_08


def share(n: int, total: float) -> Interval:
    """A share of points, in [0, 1]."""
    return wilson(n, total)


def share_of_pairs(pairs: int, total: float, squares: float) -> Interval:
    """A share of points from the means of pairs of matches, their sum and their sum of squares."""
    if pairs < 1:
        return Interval(math.nan, math.nan, math.nan)
    mean = total / pairs
    adjusted = sample(pairs + 2, total + 1.0, squares + 1.0)
    half = adjusted.half * student(pairs + 2) / Z
    return Interval(mean, max(0.0, min(mean, adjusted.mean - half)), min(1.0, max(mean, adjusted.mean + half)), pairs)


def mean_of(n: int, total: float, squares: float) -> Interval:
    """The mean of scores, which have no bounds."""
    plain = sample(n, total, squares)
    if n < 2 or not plain.half > 0:  # all alike: nothing is known about the spread
        return Interval(plain.mean, -math.inf, math.inf, n)
    half = plain.half * student(n) / Z
    return Interval(plain.mean, plain.mean - half, plain.mean + half, n)


def share_difference(a: Interval, b: Interval) -> Interval:
    """The difference of two shares in [0, 1], inside [-1, 1]."""
    plain = difference(a, b)
    return Interval(plain.mean, max(-1.0, plain.low), min(1.0, plain.high), plain.n)


def bootstrap_difference(a: Sequence[float], b: Sequence[float]) -> Interval:
    """The difference of two means, of scores say, whose distribution may be anything."""
    if not a or not b:
        return Interval(math.nan, math.nan, math.nan)
    generator = np.random.default_rng(BOOTSTRAP_SEED)
    means = []
    for values in (np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)):
        drawn = generator.integers(len(values), size=(RESAMPLES, len(values)))
        means.append(values[drawn].mean(axis=1))
    low, high = np.quantile(means[0] - means[1], [0.025, 0.975])
    return Interval(float(np.mean(a) - np.mean(b)), float(low), float(high), min(len(a), len(b)))


def from_to(interval: Interval, *, decimals: int = 1, sign: bool = False, minimum: int = MINIMUM) -> str:
    """E.g. "54.2 (49.8 to 58.5)"; the mean alone where there are too few matches or no spread to judge by."""
    plus = "+" if sign else ""
    if not math.isfinite(interval.mean):
        return ""
    mean = f"{interval.mean:{plus},.{decimals}f}"
    if interval.n < minimum or not (math.isfinite(interval.low) and math.isfinite(interval.high)):
        return mean
    return f"{mean} ({interval.low:{plus},.{decimals}f} to {interval.high:{plus},.{decimals}f})"
