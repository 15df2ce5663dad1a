"""What a row of a store can be: types, ranges and references. Tables of results are made of rows that passed.

SQLite keeps whatever it is given, and a file may have been through anything; one pass of queries finds what no run has written.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from paidia.experiment.metrics import metrics
from paidia.experiment.store.connection import Damaged

__all__ = ["CHECKED", "check_rows", "conditions"]

#: Tables whose rows are looked at.
CHECKED = ("build", "agent", "cell", "match", "side", "trajectory")

_TYPES = {"INTEGER": "('integer', 'null')", "REAL": "('real', 'integer', 'null')", "TEXT": "('text', 'null')"}

#: Measures that have a range.
_SHARES = ("points", "goal")
_COUNTS = ("moves", "seconds", "simulations", "median_simulations", "mean_simulations", "sims_per_second", "slowest_seconds",
           "late_moves", "overruns")  # fmt: skip


def _measures(per: str) -> dict[str, str]:
    """For each measure the condition that its value is one."""
    found = {}
    for metric in metrics(per):
        condition = f"typeof({metric.name}) IN {_TYPES[metric.type]}"
        if metric.name in _SHARES:
            condition += f" AND ({metric.name} IS NULL OR {metric.name} BETWEEN 0 AND 1)"
        if metric.name in _COUNTS:
            condition += f" AND ({metric.name} IS NULL OR {metric.name} >= 0)"
        found[metric.name] = condition
    return found


_WHOLE = "typeof({0}) = 'integer' AND {0} >= 0"
_PLACE = {
    "cell": "cell IN (SELECT id FROM cell)",
    "pair": _WHOLE.format("pair"),
    "seat": _WHOLE.format("seat") + " AND seat < (SELECT seats FROM cell WHERE cell.id = {table}.cell)",
}
_MATCH_OF = "EXISTS (SELECT 1 FROM match AS m WHERE m.cell = {table}.cell AND m.pair = {table}.pair AND m.seat = {table}.seat)"


def conditions(table: str) -> dict[str, str]:
    """What must hold of each column of a row."""
    if table == "build":
        return {name: f"typeof({name}) = 'text'" for name in ("version", "signature")}
    if table == "agent":
        numbers = {
            name: f"typeof({name}) IN ('real', 'integer') AND {name} >= 0" for name in ("simulations", "seconds", "start_time")
        }
        return {
            "name": "typeof(name) = 'text'",
            "definition": "typeof(definition) = 'text' AND json_valid(definition)",
            **numbers,
        }
    if table == "cell":
        return {
            **{name: f"typeof({name}) = 'text'" for name in ("key", "game", "label", "plan")},
            "level": "typeof(level) IN ('text', 'null')",
            "agent": "agent IN (SELECT id FROM agent)",
            "opponent": "opponent IS NULL OR opponent IN (SELECT id FROM agent)",
            "roles": "typeof(roles) = 'integer' AND roles BETWEEN 1 AND 16",
            "seats": "typeof(seats) = 'integer' AND seats BETWEEN 1 AND 65536",
            "seed": _WHOLE.format("seed"),
        }
    place = {name: condition.format(table=table) for name, condition in _PLACE.items()}
    if table == "match":
        goals = "typeof(goals) = 'text' AND CASE WHEN json_valid(goals) THEN json_type(goals) = 'array' ELSE 0 END"
        return {
            **place,
            "seed": "typeof(seed) = 'integer'",
            **_measures("match"),
            "goals": goals,
            "build": "build IN (SELECT id FROM build)",
        }
    side = {"side": f"side IN (0, 1) AND {_MATCH_OF.format(table=table)}"}
    return {**place, **side, **(_measures("side") if table == "side" else {"data": "typeof(data) = 'blob'"})}


def check_rows(db: sqlite3.Connection, path: Path) -> None:
    """Look through all pages and rows.

    Raises:
        Damaged: the first that is not right.
    """
    for (problem,) in db.execute("PRAGMA quick_check(1)"):
        if problem != "ok":
            raise Damaged(path, str(problem).splitlines()[-1])
    for table in CHECKED:
        wanted = conditions(table)
        wrong = " OR ".join(f"NOT coalesce({condition}, 0)" for condition in wanted.values())
        which = ", ".join(f"coalesce({condition}, 0)" for condition in wanted.values())
        key = "id" if table in ("build", "agent", "cell") else "cell || '.' || pair || '.' || seat"
        row = db.execute(f"SELECT {key}, {which} FROM {table} WHERE {wrong} LIMIT 1").fetchone()
        if row is not None:
            column = next(name for name, holds in zip(wanted, row[1:], strict=True) if not holds)
            raise Damaged(path, f"row {row[0]} of table {table} has an impossible {column}")
