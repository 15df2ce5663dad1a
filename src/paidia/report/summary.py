"""What a store says about each cell, prepared by the database, so that a store of a million rows is no
problem.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from paidia.experiment.metrics import Metric, metrics
from paidia.experiment.store import Store
from paidia.report.estimates import mean_of, share, share_of_pairs
from paidia.report.statistics import Interval, Stratum, pool

__all__ = ["Group", "group_cells", "summarise", "without_level"]

_CELLS = """
SELECT cell.id, cell.key, cell.label, mine.name, other.name, mine.simulations, mine.seconds, mine.start_time,
    other.simulations, other.seconds, other.start_time
FROM cell JOIN agent AS mine ON mine.id = cell.agent LEFT JOIN agent AS other ON other.id = cell.opponent
ORDER BY cell.id
"""

#: What the agent reached in each seat.
_SEATS = """
SELECT cell, count(points), total(points), total(points * points),
    total(points = 1.0), total(points = 0.5), total(points = 0.0), count(*) - count(points),
    count(score), total(score), total(score * score)
FROM side WHERE side = 0 GROUP BY cell, seat ORDER BY cell, seat
"""

#: Matches that did not end by the rules of the game; a video game whose time is up is simply lost.
_EARLY = "SELECT cell, count(*) FROM match WHERE ending NOT IN ('terminal', 'tick limit', 'failed') GROUP BY cell"

#: Video games that were lost because time was up.
_LATE = """
SELECT side.cell, count(*) FROM side JOIN match USING (cell, pair, seat)
WHERE side = 0 AND score IS NOT NULL AND points = 0.0 AND (moves >= 2000 OR ending = 'tick limit') GROUP BY side.cell
"""

_PAIRS = """
SELECT cell, count(*), total(mean), total(mean * mean) FROM (
    SELECT side.cell AS cell, avg(points) AS mean FROM side JOIN cell ON cell.id = side.cell WHERE side = 0
    GROUP BY side.cell, pair HAVING count(points) = cell.seats
) GROUP BY cell
"""

#: Sums (or highest values) of measures by their names.
Sums = dict[str, float]


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
        scores: Number, sum and sum of squares of the scores (video games).
        pairs: Number of whole pairs, sum and sum of squares of their mean points.
        seats: For each assignment of roles the matches and points.
        strata: The same for each level by itself, as far as there are matches; none where only sums are known.
        scored: The same for the scores.
        late: Video games that were lost because time was up.
        match: Over all matches the sums of the measures of a match (`experiment/metrics.py`).
        sides: The same for each side: the agent, its opponent.
        lacking: For each side the matches that do not have a measure: those of ledgers have few (`experiment/store/kept.py`).
        budgets: What each side may do for a move: simulations, seconds, and the seconds before the first move (0 where
            simulations are counted).
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
    scores: tuple[int, float, float]
    pairs: tuple[int, float, float]
    seats: tuple[tuple[int, float], ...]
    strata: tuple[Stratum, ...] = ()
    scored: tuple[Stratum, ...] = ()
    late: int = 0
    match: Sums = {}
    sides: tuple[Sums, ...] = ({},)
    lacking: tuple[Sums, ...] = ()
    budgets: tuple[tuple[int, float, float], ...] = ()

    @property
    def video(self) -> bool:
        """Whether it is a video game: those have scores."""
        return self.scores[0] > 0

    @property
    def points(self) -> Interval:
        """Mean points."""
        return share(self.n, self.total)

    @property
    def paired(self) -> Interval:
        """Mean points, with the matches of a pair (same seed, all seats) as one observation: the seed's share is gone."""
        return share_of_pairs(*self.pairs)

    @property
    def score(self) -> Interval:
        """Mean score of a video game."""
        return mean_of(*self.scores)

    def sum(self, name: str, side: int = 0) -> float:
        """A measure over all matches: the sum, or the highest value."""
        return self.match[name] if name in self.match else self.sides[side].get(name, 0.0)

    def having(self, name: str, side: int = 0) -> int:
        """Matches that have a measure."""
        return self.n - int(self.lacking[side].get(name, 0) if side < len(self.lacking) else 0)

    def mean(self, name: str, side: int = 0) -> float:
        """The mean of a measure over the matches that have it."""
        return self.sum(name, side) / having if (having := self.having(name, side)) else 0.0


def summarise(store: Store, *, keys: Collection[str] | None = None) -> list[Group]:
    """Every cell of a store that has matches, or those of them with the given keys."""
    read = _Read(store)
    return [read.group(*row) for row in store.db.execute(_CELLS) if row[0] in read.seats and (keys is None or row[1] in keys)]


class _Read:
    """What the database says about all cells."""

    def __init__(self, store: Store) -> None:
        query = store.db.execute
        self.pairs = {row[0]: tuple(row[1:]) for row in query(_PAIRS)}
        self.early, self.late = dict(query(_EARLY)), dict(query(_LATE))
        self.seats: dict[int, list[tuple[float, ...]]] = {}
        for cell, *sums in query(_SEATS):
            self.seats.setdefault(cell, []).append(tuple(sums))
        self.match = {cell: _named("match", sums) for cell, *sums in query(_sums("match", "cell"))}
        self.sides: dict[int, list[Sums]] = {}
        for cell, _, *sums in query(_sums("side", "cell, side")):
            self.sides.setdefault(cell, []).append(_named("side", sums))
        self.lacking: dict[int, list[Sums]] = {}
        for cell, _, *numbers in query(_LACKING):
            self.lacking.setdefault(cell, []).append(_named("side", numbers))

    def group(self, id: int, key: str, label: str, mine: str, other: str | None, *budgets: float | None) -> Group:
        seats = self.seats[id]
        simulations, seconds = int(budgets[0] or 0), budgets[1] or 0.0
        n, total, squares, wins, draws, losses, failed, *scores = map(sum, zip(*seats, strict=True))
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
            early=self.early.get(id, 0),
            failed=int(failed),
            scores=(int(scores[0]), scores[1], scores[2]),
            pairs=self.pairs.get(id, (0, 0.0, 0.0)),
            seats=tuple((int(seat[0]), seat[1]) for seat in seats),
            strata=tuple(Stratum(int(seat[0]), seat[1], seat[2]) for seat in seats if seat[0]),
            scored=tuple(Stratum(int(seat[7]), seat[8], seat[9]) for seat in seats if seat[7]),
            late=self.late.get(id, 0),
            match=self.match[id],
            sides=tuple(self.sides[id]),
            lacking=tuple(self.lacking[id]),
            budgets=tuple(_budget(*budgets[i : i + 3]) for i in ((0, 3) if other is not None else (0,))),
        )


def _budget(simulations: float | None, seconds: float | None, start: float | None) -> tuple[int, float, float]:
    return int(simulations or 0), seconds or 0.0, 0.0 if simulations else start or 0.0


def _summed(per: str) -> list[Metric]:
    return [metric for metric in metrics(per) if metric.summary]


def _sums(per: str, by: str) -> str:
    functions = [f"{'max' if metric.summary == 'max' else 'total'}({metric.name})" for metric in _summed(per)]
    return f"SELECT {by}, {', '.join(functions)} FROM {per} GROUP BY {by} ORDER BY {by}"


#: Matches of each side that were played and do not have a measure.
_LACKING = (
    f"SELECT cell, side, {', '.join(f'total(points IS NOT NULL AND {metric.name} IS NULL)' for metric in _summed('side'))}"
    " FROM side GROUP BY cell, side ORDER BY cell, side"
)


def _named(per: str, values: list[float | None]) -> Sums:
    return {metric.name: value or 0.0 for metric, value in zip(_summed(per), values, strict=True)}


def without_level(group: Group) -> tuple[Any, ...]:
    """What cells have in common that differ in their level only."""
    return group.game, group.agent, group.opponent, group.budgets or group.budget


def group_cells(groups: list[Group]) -> list[Group]:
    """Cells that differ in their level only, taken together."""
    merged: dict[tuple[Any, ...], Group] = {}
    for group in groups:
        key = without_level(group)
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
        scores=pool([a.scores, b.scores]),
        pairs=pool([a.pairs, b.pairs]),
        seats=tuple((x[0] + y[0], x[1] + y[1]) for x, y in zip(a.seats, b.seats, strict=False)),
        strata=a.strata + b.strata,
        scored=a.scored + b.scored,
        late=a.late + b.late,
        match=_added("match", a.match, b.match),
        sides=tuple(_added("side", x, y) for x, y in zip(a.sides, b.sides, strict=True)),
        lacking=tuple(_counted(x, y) for x, y in zip(a.lacking, b.lacking, strict=False)),
        budgets=a.budgets,
    )


def _counted(a: Sums, b: Sums) -> Sums:
    return {name: a.get(name, 0.0) + b.get(name, 0.0) for name in {**a, **b}}


def _added(per: str, a: Sums, b: Sums) -> Sums:
    def join(metric: Metric) -> float:
        x, y = a.get(metric.name, 0.0), b.get(metric.name, 0.0)
        return max(x, y) if metric.summary == "max" else x + y

    return {metric.name: join(metric) for metric in _summed(per)}
