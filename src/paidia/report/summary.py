"""What a store says about each cell, prepared by the database, so that a store of a million rows is no
problem.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from paidia.experiment.store import Store
from paidia.report.statistics import Interval, binomial, paired, points_interval, pool, sample, wilson

__all__ = ["Group", "group_cells", "summarise"]

_CELLS = """
SELECT cell.id, cell.key, cell.label, mine.name, other.name, mine.simulations, mine.seconds
FROM cell JOIN agent AS mine ON mine.id = cell.agent LEFT JOIN agent AS other ON other.id = cell.opponent
ORDER BY cell.id
"""

_SEATS = """
SELECT cell, count(points), total(points), total(points * points),
    total(points = 1.0), total(points = 0.5), total(points = 0.0), total(ending NOT IN ('terminal', 'tick limit')),
    count(*) - count(points), total(moves), total(seconds), total(median_rate), total(opponent_median_rate),
    total(median_simulations), total(opponent_median_simulations), total(overruns),
    count(score), total(score), total(score * score), total(mean_simulations), total(opponent_mean_simulations),
    total(points = 0.0 AND score IS NOT NULL AND (moves >= 2000 OR ending = 'tick limit')), total(late_moves)
FROM match GROUP BY cell, seat ORDER BY cell, seat
"""

_SLOWEST = "SELECT cell, max(slowest) FROM match GROUP BY cell"

_PAIRS = """
SELECT cell, count(*), total(mean), total(mean * mean) FROM (
    SELECT match.cell AS cell, avg(points) AS mean FROM match JOIN cell ON cell.id = match.cell
    GROUP BY match.cell, pair HAVING count(points) = cell.seats
) GROUP BY cell
"""


class Group(msgspec.Struct, frozen=True):
    """One cell, or the levels of one game together.

    Attributes:
        game: Name of the game.
        agent: Whose points these are.
        opponent: None where it plays alone.
        budget: Budget of one move in words.
        cells: Keys of the cells.
        n: Matches that were played.
        total: Sum of points.
        squares: Sum of the squares of points.
        wins: Matches with 1 point.
        draws: Matches with half a point.
        losses: Matches with none.
        early: Matches that did not end by the rules of the game (crash, illegal move, step limit); a video game whose time is up
            is simply lost.
        failed: Matches that could not be played.
        moves: Sum of moves.
        seconds: Sum of durations.
        rates: Sum over matches of the median simulations per second: the agent's, the opponent's.
        medians: Sum over matches of the median simulations of a move: the agent's, the opponent's.
        overruns: Moves of the agent over its clock and the referee's grace.
        scores: Number, sum and sum of squares of the scores (video games).
        pairs: Number of whole pairs, sum and sum of squares of their mean points.
        seats: For each assignment of roles the matches and points.
        means: Sum over matches of the mean simulations of a move: the agent's, the opponent's.
        late: Video games that were lost because time was up.
        slowest: The agent's longest move in seconds.
        late_moves: Moves of the agent over its clock, be it by a microsecond.
    """

    game: str
    agent: str
    opponent: str | None
    budget: str
    cells: tuple[str, ...]
    n: int
    total: float
    squares: float
    wins: int
    draws: int
    losses: int
    early: int
    failed: int
    moves: float
    seconds: float
    rates: tuple[float, float]
    medians: tuple[float, float]
    overruns: int
    scores: tuple[int, float, float]
    pairs: tuple[int, float, float]
    seats: tuple[tuple[int, float], ...]
    means: tuple[float, float] = (0.0, 0.0)
    late: int = 0
    slowest: float = 0.0
    late_moves: int = 0

    @property
    def video(self) -> bool:
        """Whether it is a video game: those have scores."""
        return self.scores[0] > 0

    @property
    def points(self) -> Interval:
        """Mean points with the interval of papers 000, 003 and 004."""
        return points_interval(self.n, self.total, self.squares)

    def interval(self, kind: str) -> Interval:
        """Mean points with the interval that is asked for: sample, binomial, wilson or paired."""
        if kind == "binomial":
            return binomial(self.n, self.total)
        if kind == "wilson":
            return wilson(self.n, self.total)
        return paired(*self.pairs) if kind == "paired" else self.points

    @property
    def mean_rate(self) -> float:
        """Mean over matches of the median simulations per second."""
        return self.rates[0] / self.n if self.n else 0.0

    @property
    def mean_simulations(self) -> float:
        """Mean over matches of the median simulations of a move (or tick)."""
        return self.medians[0] / self.n if self.n else 0.0

    @property
    def score(self) -> Interval:
        """Mean score of a video game."""
        return sample(*self.scores)


def summarise(store: Store, *, keys: Collection[str] | None = None) -> list[Group]:
    """Every cell of a store that has matches, or those of them with the given keys."""
    pairs = {row[0]: tuple(row[1:]) for row in store.db.execute(_PAIRS)}
    slowest = dict(store.db.execute(_SLOWEST))
    seats: dict[int, list[tuple[float, ...]]] = {}
    for cell, *sums in store.db.execute(_SEATS):
        seats.setdefault(cell, []).append(tuple(sums))
    return [
        _group(row, pairs.get(row[0], (0, 0.0, 0.0)), seats[row[0]], slowest.get(row[0]) or 0.0)
        for row in store.db.execute(_CELLS)
        if row[0] in seats and (keys is None or row[1] in keys)
    ]


def _group(cell: tuple[Any, ...], pairs: tuple[int, float, float], seats: list[tuple[float, ...]], slowest: float) -> Group:
    _, key, label, mine, other, simulations, seconds = cell
    n, total, squares, wins, draws, losses, unusual, failed, moves, duration, *rest = map(sum, zip(*seats, strict=True))
    rate, other_rate, median, other_median, overruns, scores, score, score_squares, mean, other_mean, late, late_moves = rest
    return Group(
        game=label,
        agent=mine,
        opponent=other,
        budget=f"{simulations:,} sims" if simulations else f"{seconds:g} s" if seconds else "-",
        cells=(key,),
        n=int(n),
        total=total,
        squares=squares,
        wins=int(wins),
        draws=int(draws),
        losses=int(losses),
        early=int(unusual - failed),
        failed=int(failed),
        moves=moves,
        seconds=duration,
        rates=(rate, other_rate),
        medians=(median, other_median),
        overruns=int(overruns),
        scores=(int(scores), score, score_squares),
        pairs=pairs,
        seats=tuple((int(seat[0]), seat[1]) for seat in seats),
        means=(mean, other_mean),
        late=int(late),
        slowest=slowest,
        late_moves=int(late_moves),
    )


def group_cells(groups: list[Group]) -> list[Group]:
    """Cells that differ in their level only, taken together."""
    merged: dict[tuple[str, str, str | None, str], Group] = {}
    for group in groups:
        key = (group.game, group.agent, group.opponent, group.budget)
        merged[key] = _together(merged[key], group) if key in merged else group
    return list(merged.values())


def _together(a: Group, b: Group) -> Group:
    n, total, squares = pool([(a.n, a.total, a.squares), (b.n, b.total, b.squares)])
    return Group(
        game=a.game,
        agent=a.agent,
        opponent=a.opponent,
        budget=a.budget,
        cells=a.cells + b.cells,
        n=n,
        total=total,
        squares=squares,
        wins=a.wins + b.wins,
        draws=a.draws + b.draws,
        losses=a.losses + b.losses,
        early=a.early + b.early,
        failed=a.failed + b.failed,
        moves=a.moves + b.moves,
        seconds=a.seconds + b.seconds,
        rates=(a.rates[0] + b.rates[0], a.rates[1] + b.rates[1]),
        medians=(a.medians[0] + b.medians[0], a.medians[1] + b.medians[1]),
        overruns=a.overruns + b.overruns,
        scores=pool([a.scores, b.scores]),
        pairs=pool([a.pairs, b.pairs]),
        seats=tuple((x[0] + y[0], x[1] + y[1]) for x, y in zip(a.seats, b.seats, strict=False)),
        means=(a.means[0] + b.means[0], a.means[1] + b.means[1]),
        late=a.late + b.late,
        slowest=max(a.slowest, b.slowest),
        late_moves=a.late_moves + b.late_moves,
    )
