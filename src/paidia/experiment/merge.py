"""Several stores into one, e.g. the parts of a plan that several machines played."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from paidia.core.errors import BadInput
from paidia.experiment.store import Store, transaction

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

_SAME = """
    FROM other.match AS theirs
    JOIN other.cell AS oc ON oc.id = theirs.cell JOIN cell AS nc ON nc.key = oc.key
"""

_TRAJECTORIES = """
INSERT OR IGNORE INTO trajectory SELECT nc.id, theirs.pair, theirs.seat, theirs.side, theirs.data
    FROM other.trajectory AS theirs
    JOIN other.cell AS oc ON oc.id = theirs.cell JOIN cell AS nc ON nc.key = oc.key
    WHERE NOT EXISTS (
        SELECT 1 FROM match AS m WHERE m.cell = nc.id AND m.pair = theirs.pair AND m.seat = theirs.seat
    )
"""


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
        Store(source).close()  # a store of ours, with our schema
    added = known = different = 0
    with Store(target, write=True) as store:
        for source in sources:
            new, old, unlike = _merge(store, source)
            added, known, different = added + new, known + old, different + unlike
    return Merged(added=added, known=known, different=different)


def _merge(store: Store, source: Path) -> tuple[int, int, int]:
    db = store.db
    db.execute("ATTACH ? AS other", (str(source),))
    try:
        with transaction(db):
            for statement in _NAMES.split(";"):
                db.execute(statement)
            twice = (
                f"SELECT count(*), total(m.goals != theirs.goals) {_SAME}"
                " JOIN match AS m ON m.cell = nc.id AND m.pair = theirs.pair AND m.seat = theirs.seat"
            )
            known, different = db.execute(twice).fetchone()
            columns = [row[1] for row in db.execute("PRAGMA main.table_info(match)")]
            there = {row[1] for row in db.execute("PRAGMA other.table_info(match)")}  # older schemas have fewer
            own = {"cell": "nc.id", "build": "nb.id"}
            values = [own.get(c, f"theirs.{c}" if c in there else "NULL") for c in columns]
            told = db.execute("SELECT count(*) FROM other.sqlite_master WHERE name = 'trajectory'").fetchone()[0]
            if told:  # before the matches: those of a match that stays as it is stay as well
                db.execute(_TRAJECTORIES)
            builds = "JOIN other.build AS ob ON ob.id = theirs.build JOIN build AS nb USING (version, signature)"
            cursor = db.execute(f"INSERT OR IGNORE INTO match SELECT {', '.join(values)} {_SAME} {builds}")
            return cursor.rowcount, int(known), int(different)
    finally:
        db.execute("DETACH other")
