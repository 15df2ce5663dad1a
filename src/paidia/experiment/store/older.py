"""Stores of schemas 1 to 3, whose matches have both sides in one row: `agent` in plain columns, its opponent in `opponent_...`.

Opened for reading they look like today's, by views; opened for writing they become so, in one transaction. Schema 1 lacks the
table of trajectories, and each schema some columns.
"""

from __future__ import annotations

import sqlite3

import msgspec

from paidia.experiment.cells import assignments
from paidia.experiment.metrics import metrics
from paidia.experiment.store.schema import MATCH, SCHEMA, SIDE, TRAJECTORY, columns_of, transaction

__all__ = ["OLDEST", "convert", "show"]

OLDEST = 1

#: What some measures were called.
_NAMES = {"sims_per_second": "median_rate", "slowest_seconds": "slowest"}


def convert(db: sqlite3.Connection) -> None:
    """Turn an older store into one of today's schema."""
    _functions(db)
    with transaction(db):
        db.execute("ALTER TABLE match RENAME TO old_match")
        columns = columns_of(db, "old_match")
        db.execute(MATCH)
        db.execute(SIDE)
        db.execute(f"INSERT INTO match {_match('old_match', columns)}")
        db.execute(f"INSERT INTO side {_sides('old_match', columns)}")
        db.execute("DROP TABLE old_match")
        if not columns_of(db, "trajectory"):
            db.execute(TRAJECTORY.format(temporary=""))
        db.execute(f"PRAGMA user_version = {SCHEMA}")


def show(db: sqlite3.Connection) -> None:
    """Let an older store, open for reading, look like one of today's schema."""
    _functions(db)
    columns = columns_of(db, "match")
    db.execute(f"CREATE TEMP VIEW match AS {_match('main.match', columns)}")
    db.execute(f"CREATE TEMP VIEW side AS {_sides('main.match', columns)}")
    if not columns_of(db, "trajectory"):
        db.execute(TRAJECTORY.format(temporary="TEMP"))


def _match(old: str, columns: list[str]) -> str:
    values = [metric.name if metric.name in columns else f"NULL AS {metric.name}" for metric in metrics("match")]
    return f"SELECT cell, pair, seat, seed, {', '.join(values)}, build FROM {old}"


def _sides(old: str, columns: list[str]) -> str:
    return f"{_side(old, columns, 0)} UNION ALL {_side(old, columns, 1)} WHERE cell.opponent IS NOT NULL"


def _side(old: str, columns: list[str], side: int) -> str:
    own = {
        "points": "old.points" if side == 0 else "1.0 - old.points",
        "goal": f"best_goal(old.goals, cell.roles, cell.opponent IS NOT NULL, old.seat, {side})",
        "score": "old.score",
    }
    values = []
    for metric in metrics("side"):
        column = ("opponent_" if side else "") + _NAMES.get(metric.name, metric.name)
        value = own.get(metric.name) or (f"old.{column}" if column in columns else "NULL")
        values.append(f"{value} AS {metric.name}")
    return (
        f"SELECT old.cell, old.pair, old.seat, {side} AS side, {', '.join(values)}"
        f" FROM {old} AS old JOIN main.cell AS cell ON cell.id = old.cell"
    )


def _functions(db: sqlite3.Connection) -> None:
    db.create_function("best_goal", 5, _best_goal, deterministic=True)


def _best_goal(goals: str, roles: int, opponent: int, seat: int, side: int) -> float | None:
    """The best goal of a side, which the old rows do not have: it follows from who played which role."""
    reached: list[float] = msgspec.json.decode(goals)
    assignment = assignments(roles)[seat] if opponent else (0,) * roles
    return max((goal for goal, own in zip(reached, assignment, strict=False) if own == side), default=None)
