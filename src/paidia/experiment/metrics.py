"""All that is measured of a match, in one list: a new measure is a new entry here, and nothing else.

Tables of the store, what is entered, exported and merged, and what a report sums up follow from the list (`experiment/store`,
`report/summary.py`, `report/measures.py`). A match has one value of a measure `per` match, or one for each side: the contenders
of a cell, the agent first. A contender may hold several roles. In a video game a move is a tick.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean, median
from typing import Literal

import msgspec

from paidia.match.result import Asked, MatchResult

__all__ = ["METRICS", "Metric", "PlayedMatch", "Value", "metrics", "points"]

Value = int | float | str | None


class PlayedMatch(msgspec.Struct, frozen=True):
    """A match of a cell that is over.

    Attributes:
        result: What the referee says.
        assignment: Which side played each role.
        clock: Seconds that a move might take, 0 if nobody looked.
        seconds: How long the match took.
    """

    result: MatchResult
    assignment: tuple[int, ...]
    clock: float
    seconds: float

    def roles(self, side: int) -> list[int]:
        """The roles of a side."""
        return [role for role, own in enumerate(self.assignment) if own == side]

    def moves(self, side: int) -> list[Asked]:
        """The moves that a side searched for; of a video game all ticks."""
        every = self.result.record.score is not None
        return [move for role in self.roles(side) for move in self.result.asked[role] if every or move.simulations]

    def goal(self, side: int) -> float:
        """The best goal of a side."""
        return max(self.result.record.goals[role] for role in self.roles(side))


class Metric(msgspec.Struct, frozen=True):
    """One measure.

    Attributes:
        name: Name of its column.
        type: Its type in the database.
        per: Whether a match has one value, or each of its sides.
        read: Its value in a match (for a side).
        label: What tables call it.
        summary: How a report sums it up: mean over matches, sum, max, or not ("").
    """

    name: str
    type: Literal["INTEGER", "REAL", "TEXT"]
    per: Literal["match", "side"]
    read: Callable[[PlayedMatch, int], Value]
    label: str
    summary: Literal["mean", "sum", "max", ""] = ""


def points(goals: Sequence[float], assignment: Sequence[int], side: int = 0) -> float:
    """Points of a side: 1 if it has the highest goal, 0 if the other has, 0.5 if both reach it.

    A contender who holds several roles counts with its best one. Alone, it gets its goal.
    """
    mine = max(goal for goal, own in zip(goals, assignment, strict=True) if own == side)
    others = [goal for goal, own in zip(goals, assignment, strict=True) if own != side]
    if not others:
        return mine
    return 1.0 if mine > max(others) else 0.0 if mine < max(others) else 0.5


def _fault(played: PlayedMatch, side: int) -> Value:
    role = played.result.record.fault
    return None if role is None else played.assignment[role]


def _rate(played: PlayedMatch, side: int) -> Value:
    return _median([move.simulations / move.seconds for move in played.moves(side) if move.simulations and move.seconds > 0])


def _late(played: PlayedMatch, side: int) -> Value:
    return sum(move.seconds > played.clock for move in played.moves(side)) if played.clock else None


def _median(values: list[int] | list[float]) -> float:
    return float(median(values)) if values else 0.0


def _lost(played: PlayedMatch, side: int) -> Value:
    """Simulations whose playout ran into a loss, where the agent repairs those (loss avoidance)."""
    counted = [move.lost_playouts for move in played.moves(side) if move.lost_playouts is not None]
    return sum(counted) if counted else None


def _score(played: PlayedMatch, side: int) -> Value:
    """The best score of a side."""
    scores = played.result.record.reported_scores
    return max(scores[role] for role in played.roles(side)) if scores else None


def _record(field: str) -> Callable[[PlayedMatch, int], Value]:
    def read(played: PlayedMatch, side: int) -> Value:
        value: Value = getattr(played.result.record, field)
        return value

    return read


METRICS: tuple[Metric, ...] = (
    Metric("moves", "INTEGER", "match", lambda p, _: len(p.result.record.moves), "moves", "mean"),
    Metric("goals", "TEXT", "match", lambda p, _: msgspec.json.encode(p.result.record.goals).decode(), "goals of all roles"),
    Metric("seconds", "REAL", "match", lambda p, _: p.seconds, "seconds", "mean"),
    Metric("ending", "TEXT", "match", _record("ending"), "ending"),
    Metric("fault", "INTEGER", "match", _fault, "side that ended it early"),
    Metric("message", "TEXT", "match", lambda p, _: p.result.record.message[:500], "message"),
    Metric("points", "REAL", "side", lambda p, side: points(p.result.record.goals, p.assignment, side), "points"),
    Metric("goal", "REAL", "side", lambda p, side: p.goal(side), "goal", "mean"),
    Metric("score", "REAL", "side", _score, "score"),
    Metric(
        "simulations", "INTEGER", "side", lambda p, side: sum(p.result.simulations[role] for role in p.roles(side)),
        "simulations", "mean",
    ),
    Metric(
        "median_simulations", "REAL", "side", lambda p, side: _median([move.simulations for move in p.moves(side)]),
        "sims/move, median", "mean",
    ),
    Metric(
        "mean_simulations", "REAL", "side", lambda p, side: fmean([m.simulations for m in p.moves(side)] or [0.0]),
        "sims/move, mean", "mean",
    ),
    Metric("lost_playouts", "INTEGER", "side", _lost, "lost playouts", "mean"),
    Metric("sims_per_second", "REAL", "side", _rate, "sims/s", "mean"),
    Metric(
        "slowest_seconds", "REAL", "side", lambda p, side: max((m.seconds for m in p.moves(side)), default=0.0),
        "slowest move, s", "max",
    ),
    Metric("late_moves", "INTEGER", "side", _late, "late moves", "sum"),
    Metric(
        "overruns", "INTEGER", "side", lambda p, side: sum(p.result.record.overruns[role] for role in p.roles(side)),
        "overruns", "sum",
    ),
)  # fmt: skip


def metrics(per: str) -> list[Metric]:
    """The measures of a match, or of a side."""
    return [metric for metric in METRICS if metric.per == per]
