"""The tables of a store. Columns of `match` and `side` follow from the list of measures (`experiment/metrics.py`).

A match has its place (cell, pair, seat), and a row for each of its sides: the agent (0) and its opponent (1). What agents did
with their search parameters is large, and has a table of its own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from paidia.experiment.metrics import metrics

__all__ = ["APPLICATION", "SCHEMA", "TABLES", "TRAJECTORY", "add_absent", "columns_of", "hide_absent", "transaction"]

SCHEMA = 4
APPLICATION = 0x70616964  # "paid": tells our files from other SQLite files

_PLACE = "cell INTEGER NOT NULL REFERENCES cell, pair INTEGER NOT NULL, seat INTEGER NOT NULL"


def _columns(per: str) -> str:
    return ", ".join(f"{metric.name} {metric.type}" for metric in metrics(per))


TRAJECTORY = f"""CREATE {{temporary}} TABLE trajectory (
    {_PLACE}, side INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (cell, pair, seat, side)
) WITHOUT ROWID"""

#: The statements that create what a match leaves behind.
MATCH = f"""CREATE TABLE match (
    {_PLACE}, seed INTEGER NOT NULL, {_columns("match")}, build INTEGER NOT NULL REFERENCES build,
    PRIMARY KEY (cell, pair, seat)
) WITHOUT ROWID"""
SIDE = f"""CREATE TABLE side (
    {_PLACE}, side INTEGER NOT NULL, {_columns("side")}, PRIMARY KEY (cell, pair, seat, side)
) WITHOUT ROWID"""

TABLES = (
    """CREATE TABLE build (
    id INTEGER PRIMARY KEY, version TEXT NOT NULL, signature TEXT NOT NULL, UNIQUE (version, signature)
)""",
    """CREATE TABLE agent (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, definition TEXT NOT NULL,
    simulations INTEGER NOT NULL, seconds REAL NOT NULL, start_time REAL NOT NULL,
    UNIQUE (name, definition, simulations, seconds, start_time)
)""",
    """CREATE TABLE cell (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, game TEXT NOT NULL, label TEXT NOT NULL, level TEXT,
    agent INTEGER NOT NULL REFERENCES agent, opponent INTEGER REFERENCES agent,
    roles INTEGER NOT NULL, seats INTEGER NOT NULL, seed INTEGER NOT NULL, plan TEXT NOT NULL
)""",
    MATCH,
    SIDE,
    TRAJECTORY.format(temporary=""),
)


def columns_of(db: sqlite3.Connection, table: str, *, schema: str = "main") -> list[str]:
    """The columns that a table has."""
    return [row[1] for row in db.execute(f"PRAGMA {schema}.table_info({table})")]


def _absent(db: sqlite3.Connection, table: str) -> list[str]:
    there = columns_of(db, table)
    return [f"{metric.name} {metric.type}" for metric in metrics(table) if metric.name not in there]


def add_absent(db: sqlite3.Connection) -> None:
    """Add the columns of measures that are newer than the store."""
    for table in ("match", "side"):
        for column in _absent(db, table):
            db.execute(f"ALTER TABLE {table} ADD COLUMN {column}")


def hide_absent(db: sqlite3.Connection) -> None:
    """The same for reading: they are seen, and empty."""
    for table in ("match", "side"):
        absent = _absent(db, table)
        if absent:
            empty = ", ".join(f"NULL AS {column.split()[0]}" for column in absent)
            db.execute(f"CREATE TEMP VIEW {table} AS SELECT *, {empty} FROM main.{table}")


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All statements inside, or none."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
