"""What can still be read of a damaged store, as a sound one.

Tables are read from both ends, and what lies between two damaged pages place by place; rows that are no rows of a store (types,
ranges, references) are left out, and so are matches without the row of their agent.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from paidia.core.errors import BadInput
from paidia.experiment.store.rows import conditions
from paidia.experiment.store.schema import columns_of, transaction
from paidia.experiment.store.store import Store

__all__ = ["Salvaged", "salvage"]

#: Pairs of a cell between two damaged places that are looked for one by one.
MOST_PAIRS = 20_000

Row = dict[str, Any]


class Salvaged(msgspec.Struct, frozen=True):
    """Matches that were saved, and rows that were read but had to be left out."""

    matches: int
    left_out: int


def salvage(source: Path, target: Path) -> Salvaged:
    """Write everything sound in `source` into the new store `target`."""
    if target.exists():
        raise BadInput(f"{target} exists already; what is saved goes into a new file")
    if not source.is_file():
        raise BadInput(f"there is no store {source}")
    found = _read(source)
    if not found["match"]:
        raise BadInput(f"no match can be read in {source}")
    with Store(target, write=True) as store:
        left_out = _write(store.db, found)
        return Salvaged(store.count(), left_out)


def _read(source: Path) -> dict[str, list[Row]]:
    try:
        with _readable(source) as db:
            found = {table: list(_rows(db, table, ["id"])) for table in ("build", "agent", "cell")}
            cells = [row["id"] for row in found["cell"]]
            for table in ("match", "side", "trajectory"):
                keys = ["cell", "pair", "seat"] + ["side"] * (table != "match")
                found[table] = list(_rows(db, table, keys, cells=cells))
            return found
    except BadInput as error:
        raise BadInput(f"nothing can be saved of {source}: {error}") from None


@contextmanager
def _readable(source: Path) -> Iterator[sqlite3.Connection]:
    """The store without the checks of a sound one; texts that are none are shown as far as they go."""
    store = Store(source, verify=False)
    try:
        store.db.text_factory = lambda data: data.decode("utf-8", "replace")
        yield store.db
    finally:
        store.close()


def _rows(db: sqlite3.Connection, table: str, keys: list[str], *, cells: list[int] | None = None) -> Iterator[Row]:
    """Every row that can be reached, once."""
    seen: set[tuple[Any, ...]] = set()

    def take(where: str = "", *values: Any) -> Iterator[Row]:
        for order in ("", " DESC"):
            ordered = ", ".join(key + order for key in keys)
            try:
                cursor = db.execute(f"SELECT * FROM {table}{where} ORDER BY {ordered}", values)
                names = [column[0] for column in cursor.description]
                for values_of_row in cursor:
                    row = dict(zip(names, values_of_row, strict=True))
                    key = tuple(row[name] for name in keys)
                    if key not in seen:
                        seen.add(key)
                        yield row
                return  # all of it: no need to come from the other end
            except BadInput:
                continue

    yield from take()
    for cell in cells or ():
        yield from take(" WHERE cell = ?", cell)
        pairs = [key[1] for key in seen if key[0] == cell and isinstance(key[1], int)]
        for pair in range(min(max(pairs, default=-1) + 1, MOST_PAIRS)):
            if pair not in set(pairs):
                yield from take(" WHERE cell = ? AND pair = ?", cell, pair)


def _write(db: sqlite3.Connection, found: dict[str, list[Row]]) -> int:
    """Enter the rows, and take out again what is not sound; how many rows that were."""
    left_out = 0
    with transaction(db):
        for table, rows in found.items():
            columns = columns_of(db, table)
            names = ", ".join(columns)
            places = ", ".join("?" * len(columns))
            for row in rows:
                try:
                    db.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", [row.get(column) for column in columns])
                except (BadInput, OverflowError, sqlite3.IntegrityError):  # a key twice, or nothing where there must be something
                    left_out += 1
        before = db.total_changes
        for table in ("build", "agent", "cell", "match", "side", "trajectory"):
            sound = " AND ".join(f"coalesce({condition}, 0)" for condition in conditions(table).values())
            db.execute(f"DELETE FROM {table} WHERE NOT ({sound})")
        same = "side.cell = match.cell AND side.pair = match.pair AND side.seat = match.seat"
        db.execute(f"DELETE FROM match WHERE NOT EXISTS (SELECT 1 FROM side WHERE {same} AND side.side = 0)")
        for table in ("side", "trajectory"):
            sound = conditions(table)["side"]
            db.execute(f"DELETE FROM {table} WHERE NOT coalesce({sound}, 0)")
        left_out += db.total_changes - before
    return left_out
