"""What loss avoidance does to games, by how often it has to act: figure 5.2 of Soemers 2016.

For every game that two agents played, one of which repairs lost play-outs and the other does not: the share of the first one's
simulations that ran into a loss below the tree (each was repaired), and how many points of wins the first is ahead. Pearson's
correlation of the two over the games, with its two-sided p (Student's t with n - 2 degrees of freedom).
"""

from __future__ import annotations

import math

import msgspec

from paidia.report.summary import Group
from paidia.report.tables import TextTable

__all__ = ["LossPoint", "correlation", "loss_points", "loss_table"]


class LossPoint(msgspec.Struct, frozen=True):
    """One game.

    Attributes:
        game: Its name.
        lost: Share of simulations with a lost play-out, in %.
        change: Wins with loss avoidance less wins without, in points of %.
    """

    game: str
    lost: float
    change: float


def loss_points(groups: list[Group]) -> list[LossPoint]:
    """The games of a store in which an agent that avoids losses can be compared with one that does not."""
    video = [group for group in groups if group.video and group.n]
    with_it = {group.agent for group in video if group.sum("lost_playouts") > 0}
    without = {group.agent for group in video} - with_it
    if len(with_it) != 1 or len(without) != 1:
        return []
    own, other = ({group.game: group for group in video if group.agent in agents} for agents in (with_it, without))
    return [
        LossPoint(
            game,
            100.0 * group.sum("lost_playouts") / max(1.0, group.sum("simulations")),
            100.0 * (group.total / group.n - other[game].total / other[game].n),
        )
        for game, group in own.items()
        if game in other
    ]


def correlation(points: list[LossPoint]) -> tuple[float, float]:
    """Pearson's r and its p; not a number where fewer than three games or no spread leave nothing to correlate."""
    n = len(points)
    if n < 3:
        return math.nan, math.nan
    xs, ys = [point.lost for point in points], [point.change for point in points]
    mean_x, mean_y = sum(xs) / n, sum(ys) / n
    spread = math.sqrt(sum((x - mean_x) ** 2 for x in xs) * sum((y - mean_y) ** 2 for y in ys))
    if spread == 0.0:
        return math.nan, math.nan
    r = max(-1.0, min(1.0, sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread))
    return r, _two_sided(r, n)


def _two_sided(r: float, n: int) -> float:
    """The probability of a correlation at least as strong by chance: the incomplete beta function of 1 - r^2."""
    try:
        from scipy.special import betainc
    except ImportError:
        return math.nan
    return float(betainc((n - 2) / 2.0, 0.5, 1.0 - r * r))


def loss_table(groups: list[Group]) -> list[TextTable]:
    """The games by how many simulations were lost, where a store has what it takes."""
    points = loss_points(groups)
    if not points:
        return []
    r, p = correlation(points)
    rows = [[point.game, f"{point.lost:.1f}", f"{point.change:+.1f}"] for point in sorted(points, key=lambda point: -point.lost)]
    note = (
        "Share of the simulations whose play-out ran into a loss, with loss avoidance; wins with it less wins without."
        f" Pearson's r = {r:.2f}, p = {p:.3f}, {len(points)} games."
    )
    return [TextTable("lost-simulations", "Loss avoidance", ["game", ">lost simulations %", ">change of wins"], rows, note=note)]
