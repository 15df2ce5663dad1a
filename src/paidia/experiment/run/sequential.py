"""When the result of a cell is clear enough to stop: a sequential test over pairs of matches.

A pair (the same seed with all seats) is one observation x, its mean points. For two hypotheses on the mean,
m0 and m1, the generalised sequential probability ratio test compares

    LLR = n (m1 - m0) (2 mean(x) - m0 - m1) / (2 var(x))

with log(beta / (1 - alpha)) and log((1 - beta) / alpha) (Wald 1945; the variance estimated from the pairs,
as chess engine testing does). Two such tests run side by side, 0.5 against 0.5 + effect and 0.5 against 0.5
- effect, each with half of alpha: the cell is "better" or "worse" when one of them accepts its difference,
and "equal" (within the effect) when both reject it. A handful of pairs with no spread at all says nothing
about the variance, so half a pair at each end (points 0 and 1) is added to it.
"""

from __future__ import annotations

import math

__all__ = ["log_likelihood_ratio", "verdict"]


def log_likelihood_ratio(pairs: int, total: float, squares: float, m0: float, m1: float) -> float:
    """LLR of mean m1 against m0 from the number of observations, their sum and the sum of their squares."""
    if pairs == 0:
        return 0.0
    mean = total / pairs
    weight = pairs + 1.0  # half an observation at 0 and half at 1
    centre = (total + 0.5) / weight
    variance = (squares + 0.5) / weight - centre * centre
    return pairs * (m1 - m0) * (2.0 * mean - m0 - m1) / (2.0 * variance)


def verdict(pairs: int, total: float, squares: float, *, alpha: float, beta: float, effect: float) -> str | None:
    """ "better", "worse", "equal", or None while it is open."""
    upper = math.log((1.0 - beta) / (alpha / 2.0))
    lower = math.log(beta / (1.0 - alpha / 2.0))
    better = log_likelihood_ratio(pairs, total, squares, 0.5, 0.5 + effect)
    worse = log_likelihood_ratio(pairs, total, squares, 0.5, 0.5 - effect)
    if better >= upper:
        return "better"
    if worse >= upper:
        return "worse"
    if better <= lower and worse <= lower:
        return "equal"
    return None
