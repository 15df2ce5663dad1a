"""Ratings from a round robin by the model of Bradley and Terry (1952), with draws as half a win for each.

    P(i beats j) = 1 / (1 + 10^((r_j - r_i) / 400))

The likelihood is maximised by the iteration of Hunter (2004); intervals come from the inverse of the
information matrix, with the mean of all ratings held at 0. Half a draw between all agents that met is added
first, so that an agent that won everything has a finite rating.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from paidia.core.errors import BadInput
from paidia.report.statistics import Interval

__all__ = ["bradley_terry"]

_SCALE = 400.0 / math.log(10.0)


def bradley_terry(wins: npt.NDArray[np.float64], *, prior: float = 0.5) -> list[Interval]:
    """Ratings on the Elo scale with 95 % intervals.

    Args:
        wins: wins[i, j] = points that i made against j.
        prior: Draws added between each two agents that met, counted in matches.
    """
    n = len(wins)
    if wins.shape != (n, n) or (wins < 0).any():
        raise BadInput("ratings need a square table of points that are not negative")
    met = (wins + wins.T) > 0
    np.fill_diagonal(met, False)
    _check_connected(met)
    scores = np.where(met, wins + prior / 2.0, 0.0)
    games = scores + scores.T
    total = scores.sum(axis=1)
    strength = np.ones(n)
    for _ in range(10_000):
        new = total / (games / (strength[:, None] + strength[None, :])).sum(axis=1)
        new /= np.exp(np.log(new).mean())
        if np.abs(np.log(new) - np.log(strength)).max() < 1e-10:
            strength = new
            break
        strength = new
    chance = strength[:, None] / (strength[:, None] + strength[None, :])
    information = -games * chance * chance.T
    np.fill_diagonal(information, 0.0)
    np.fill_diagonal(information, -information.sum(axis=1))
    variance = np.diag(np.linalg.pinv(information, hermitian=True))
    ratings = np.log(strength) * _SCALE
    half = 1.96 * np.sqrt(np.maximum(variance, 0.0)) * _SCALE
    count = (wins + wins.T).sum(axis=1)
    return [Interval(float(r), float(r - h), float(r + h), round(k)) for r, h, k in zip(ratings, half, count, strict=True)]


def _check_connected(met: npt.NDArray[np.bool_]) -> None:
    reached = {0}
    frontier = [0]
    while frontier:
        for j in np.flatnonzero(met[frontier.pop()]).tolist():
            if j not in reached:
                reached.add(j)
                frontier.append(j)
    if len(reached) < len(met):
        raise BadInput("ratings need a chain of matches between all agents; some never met")
