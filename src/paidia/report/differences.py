"""Agents side by side in video games: by how much more one wins and scores than another, with intervals of the differences."""

from __future__ import annotations

from paidia.experiment.store import Store
from paidia.report.estimates import MINIMUM, bootstrap_difference, mean_of, share_difference
from paidia.report.statistics import Interval, difference
from paidia.report.summary import Group
from paidia.report.tables import Cell, Estimate, Number, TextTable

__all__ = ["difference_tables"]

#: Of more runs than this the mean is as good as normally distributed, and is not resampled.
MOST_RESAMPLED = 5_000

NOTE = (
    "Each agent less the first one of the game. Wins: Zou and Donner's interval from those of both shares; scores: percentile"
    f" bootstrap of 2,000 resamples. 95 %, from {MINIMUM} runs of both on."
)

_SCORES = "SELECT score FROM side JOIN cell ON cell.id = side.cell WHERE cell.key = ? AND side = 0 AND score IS NOT NULL"


def difference_tables(store: Store, groups: list[Group]) -> list[TextTable]:
    """For each video game that several agents played: all others against the first of them."""
    games: dict[tuple[str, str], list[Group]] = {}
    for group in groups:
        if group.video and group.n:
            games.setdefault((group.game, group.budget), []).append(group)
    rows: list[list[Cell]] = []
    for (game, _), (first, *others) in games.items():
        for other in others:
            won = share_difference(other.points, first.points).scaled(100.0)
            runs = min(first.n, other.n)
            rows.append(
                [game, other.agent, first.agent, Number(runs), Estimate(_of(won, runs), sign=True),
                 Estimate(_of(_scores(store, other, first), runs), decimals=2, sign=True)]
            )  # fmt: skip
    columns = ["game", "agent", "less", ">runs", ">won %", ">score"]
    return [TextTable("video-games-differences", "Video games, differences", columns, rows, note=NOTE)] if rows else []


def _of(interval: Interval, runs: int) -> Interval:
    """With the runs of the side that has fewer."""
    return Interval(interval.mean, interval.low, interval.high, runs)


def _scores(store: Store, a: Group, b: Group) -> Interval:
    if max(a.n, b.n) > MOST_RESAMPLED:
        return difference(mean_of(*a.scores), mean_of(*b.scores))
    drawn = [[row[0] for key in group.cells for row in store.db.execute(_SCORES, (key,))] for group in (a, b)]
    return bootstrap_difference(*drawn)
