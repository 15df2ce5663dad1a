"""Several stores into one, e.g. the parts of a plan that several machines played."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from paidia.core.errors import BadInput
from paidia.experiment.store.schema import SCHEMA, columns_of, transaction
from paidia.experiment.store.store import Store

__all__ = ["Merged", "merge_stores"]

#: Names of another store's agents, cells and builds in ours.
_NAMES = """
INSERT OR IGNORE INTO build (version, signature) SELECT version, signature FROM other.build;
INSERT OR IGNORE INTO agent (name, definition, simulations, seconds, start_time)
    SELECT name, definition, simulations, seconds, start_time FROM other.agent;
INSERT OR IGNORE INTO cell (key, game, label, level, agent, opponent, roles, seats, seed, plan)
    SELECT c.key, c.game, c.label, c.level, mine.id, yours.id, c.roles, c.seats, c.seed, c.plan
    FROM other.cell AS c
    JOIN other.agent AS a ON a.id = c.agent
    JOIN agent AS mine USING (name, definition, simulations, seconds, start_time)
    LEFT JOIN other.agent AS b ON b.id = c.opponent
    LEFT JOIN agent AS yours ON yours.name = b.name AND yours.definition = b.definition
        AND yours.simulations = b.simulations AND yours.seconds = b.seconds
        AND yours.start_time = b.start_time;
"""

#: Their rows of a table with the number of the cell in our store.
_SAME = "FROM other.{table} AS theirs JOIN other.cell AS oc ON oc.id = theirs.cell JOIN cell AS nc ON nc.key = oc.key"

_PLACE = "m.cell = nc.id AND m.pair = theirs.pair AND m.seat = theirs.seat"


class Merged(msgspec.Struct, frozen=True):
    """What a merge did: matches added, matches that were there before, and those of them with other goals."""

    added: int
    known: int
    different: int


def merge_stores(target: Path, sources: Sequence[Path]) -> Merged:
    """Add every match of the sources to the target, which may be new. A match that is there already stays
    as it is.
    """
    for source in sources:
        if source.resolve() == target.resolve():
            raise BadInput(f"{source} cannot be merged into itself")
        Store(source).close()  # a store of ours, with a schema that we know
    added = known = different = 0
    with Store(target, write=True) as store:
        for source in sources:
            with _modern(source) as path:
                new, old, unlike = _merge(store.db, path)
            added, known, different = added + new, known + old, different + unlike
    return Merged(added=added, known=known, different=different)


@contextmanager
def _modern(source: Path) -> Iterator[Path]:
    """A store of today's schema: the source itself, or a copy that was turned into one."""
    db = sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)
    try:
        if db.execute("PRAGMA user_version").fetchone()[0] == SCHEMA:
            yield source
            return
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / source.name
            copy = sqlite3.connect(path)
            db.backup(copy)
            copy.close()
            Store(path, write=True).close()
            yield path
    finally:
        db.close()


def _merge(db: sqlite3.Connection, source: Path) -> tuple[int, int, int]:
    db.execute("ATTACH ? AS other", (str(source),))
    try:
        with transaction(db):
            for statement in _NAMES.split(";"):
                db.execute(statement)
            twice = f"SELECT count(*), total(m.goals != theirs.goals) {_SAME} JOIN match AS m ON {_PLACE}"
            known, different = db.execute(twice.format(table="match")).fetchone()
            for table in ("side", "trajectory"):  # before the matches: those of a match that stays as it is stay as well
                db.execute(f"{_copy(db, table)} WHERE NOT EXISTS (SELECT 1 FROM match AS m WHERE {_PLACE})")
            builds = "JOIN other.build AS ob ON ob.id = theirs.build JOIN build AS nb USING (version, signature)"
            cursor = db.execute(f"{_copy(db, 'match')} {builds}")
            return cursor.rowcount, int(known), int(different)
    finally:
        db.execute("DETACH other")


def _copy(db: sqlite3.Connection, table: str) -> str:
    """The statement that copies a table; measures that theirs does not have stay empty."""
    columns = columns_of(db, table)
    there = set(columns_of(db, table, schema="other"))
    own = {"cell": "nc.id", "build": "nb.id"}
    values = [own.get(column, f"theirs.{column}" if column in there else "NULL") for column in columns]
    return f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} {_SAME.format(table=table)}"
