"""An open store.

The key of a match is its place (cell, pair, seat). Rows are committed in batches: a runner that is killed
loses at most the last batch, whose matches are then still open and are played again. Readers may look at
any time (write-ahead log).
"""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import msgspec

import paidia
from paidia.core.errors import BadInput, PaidiaError
from paidia.experiment.cells import Cell, Contender, definition_json
from paidia.experiment.metrics import metrics
from paidia.experiment.row import Row
from paidia.experiment.store import older
from paidia.experiment.store.connection import connect, open_to_read
from paidia.experiment.store.lock import Lock
from paidia.experiment.store.looked import digest_of, look_through, remember
from paidia.experiment.store.schema import APPLICATION, SCHEMA, TABLES, add_absent, hide_absent, transaction
from paidia.experiment.trajectories import Condensed

__all__ = ["Store"]

#: No trajectory is larger: a part of one match has some dozens of numbers.
LARGEST_TRAJECTORY = 10_000_000


class Store:
    """An open store."""

    def __init__(self, path: Path, *, write: bool = False, verify: bool = True) -> None:
        """Open a store; `verify` looks through all its pages and rows, so that nothing impossible reaches a table (a large store
        once, as long as it stays the same).
        """
        self.path = path
        self._lock = Lock(path) if write else None
        self._builds: dict[tuple[str, str], int] = {}
        before = digest_of(path) if verify else None
        try:
            if write:
                self.db = connect(path)
                self._create()
            else:
                if not path.is_file():
                    raise BadInput(f"there is no store {path}")
                self.db = open_to_read(path)
            self._check()
            if verify:
                look_through(self.db, path, before)
            self._sound = verify
        except (sqlite3.Error, UnicodeDecodeError) as error:
            self._unlock()
            raise BadInput(f"{path} cannot be used as a store: {error}") from None
        except BaseException:
            self._unlock()
            raise

    def _create(self) -> None:
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = NORMAL")
        if self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
            with transaction(self.db):
                for table in TABLES:
                    self.db.execute(table)
                self.db.execute(f"PRAGMA application_id = {APPLICATION}")
                self.db.execute(f"PRAGMA user_version = {SCHEMA}")

    def _check(self) -> None:
        """The file is a store, and has what this version knows, or shows it."""
        if self.db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise BadInput(f"{self.path} is not a store of paidia")
        version = self.db.execute("PRAGMA user_version").fetchone()[0]
        write = self._lock is not None
        if older.OLDEST <= version < SCHEMA:
            (older.convert if write else older.show)(self.db)
        elif version == SCHEMA:
            (add_absent if write else hide_absent)(self.db)
        else:
            raise BadInput(f"{self.path} has schema {version}; this version of paidia reads schemas 1 to {SCHEMA}")

    def close(self) -> None:
        """Close the file; after a writer nothing else is left of it than the file, if nobody reads it now."""
        if self._lock is not None:
            with contextlib.suppress(sqlite3.Error, PaidiaError):
                self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                self.db.execute("PRAGMA journal_mode = DELETE").fetchall()
        self.db.close()
        if self._lock is not None and self._sound:
            remember(self.path)
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._sound = self._sound and (kind is None or issubclass(kind, KeyboardInterrupt))
        self.close()

    # writing

    def open_cell(self, cell: Cell, *, plan: str) -> int:
        """The number of a cell, entered if it is new."""
        found = self.db.execute("SELECT id FROM cell WHERE key = ?", (cell.key,)).fetchone()
        if found:
            return int(found[0])
        sides = [self._agent(contender) for contender in cell.contenders]
        values = {
            "key": cell.key,
            "game": cell.game,
            "label": cell.label,
            "level": cell.level,
            "agent": sides[0],
            "opponent": sides[1] if len(sides) > 1 else None,
            "roles": cell.n_roles,
            "seats": len(cell.seats),
            "seed": cell.seed,
            "plan": plan,
        }
        return int(self.db.execute(_insert("cell", values), list(values.values())).lastrowid or 0)

    def _agent(self, contender: Contender) -> int:
        budget = contender.budget
        values = (
            contender.name,
            definition_json(contender.definition),
            budget.simulations if budget else 0,
            budget.seconds if budget else 0.0,
            contender.start_time,
        )
        columns = "name, definition, simulations, seconds, start_time"
        self.db.execute(f"INSERT OR IGNORE INTO agent ({columns}) VALUES (?,?,?,?,?)", values)
        where = "name = ? AND definition = ? AND simulations = ? AND seconds = ? AND start_time = ?"
        return int(self.db.execute(f"SELECT id FROM agent WHERE {where}", values).fetchone()[0])

    def build(self, signature: str = "", *, version: str = paidia.__version__) -> int:
        """The number of a version of paidia, the running one if none is told, as far as a signature tells its behaviour."""
        values = (version, signature)
        if values not in self._builds:
            self.db.execute("INSERT OR IGNORE INTO build (version, signature) VALUES (?,?)", values)
            found = self.db.execute("SELECT id FROM build WHERE version = ? AND signature = ?", values)
            self._builds[values] = int(found.fetchone()[0])
        return self._builds[values]

    def add(
        self,
        rows: Iterable[tuple[int, int, int, Row]],
        *,
        signatures: Mapping[int, str] | None = None,
        version: str = paidia.__version__,
    ) -> None:
        """Enter finished matches `(cell, pair, seat, row)`, all or none of them.

        Args:
            rows: The matches with their places.
            signatures: For each cell what identifies the behaviour that it depends on.
            version: The version of paidia that played.
        """
        kept = list(rows)
        signatures = signatures or {}
        builds = {cell: self.build(signatures.get(cell, ""), version=version) for cell, _, _, _ in kept}
        of_match, of_side = ([metric.name for metric in metrics(per)] for per in ("match", "side"))
        matches = [
            (cell, pair, seat, row.seed, *(row.match.get(name) for name in of_match), builds[cell])
            for cell, pair, seat, row in kept
        ]
        sides = [
            (cell, pair, seat, side, *(values.get(name) for name in of_side))
            for cell, pair, seat, row in kept
            for side, values in enumerate(row.sides)
        ]
        told = [
            (cell, pair, seat, side, _pack(trajectory))
            for cell, pair, seat, row in kept
            for side, trajectory in enumerate(row.trajectories)
            if trajectory is not None
        ]
        with transaction(self.db):
            self.db.executemany(_insert("match", ["cell", "pair", "seat", "seed", *of_match, "build"]), matches)
            self.db.executemany(_insert("side", ["cell", "pair", "seat", "side", *of_side]), sides)
            self.db.executemany(_insert("trajectory", ["cell", "pair", "seat", "side", "data"]), told)

    def drop_after(self, cell: int, pair: int) -> None:
        """Forget the matches of a cell beyond `pair`: they were played before its stopping rule had been
        heard.
        """
        with transaction(self.db):
            for table in ("match", "side", "trajectory"):
                self.db.execute(f"DELETE FROM {table} WHERE cell = ? AND pair > ?", (cell, pair))

    # reading

    def done(self, cell: int) -> Iterator[tuple[int, int, float | None]]:
        """Place of the matches that a cell already has, and the agent's points, in order."""
        query = "SELECT pair, seat, points FROM side WHERE cell = ? AND side = 0 ORDER BY pair, seat"
        yield from self.db.execute(query, (cell,))

    def other_endings(self, cell: int, endings: Sequence[str]) -> int:
        """How many matches of a cell ended in none of these ways."""
        query = f"SELECT count(*) FROM match WHERE cell = ? AND ending NOT IN ({','.join('?' * len(endings))})"
        return int(self.db.execute(query, (cell, *endings)).fetchone()[0])

    def ending(self, cell: int) -> str:
        """How the first match of a cell ended, in words."""
        query = "SELECT ending, message FROM match WHERE cell = ? ORDER BY pair, seat LIMIT 1"
        return ": ".join(word for word in self.db.execute(query, (cell,)).fetchone() or () if word)

    def trajectories(self, key: str, side: int = 0) -> Iterator[Condensed]:
        """What the agent of a cell (or its opponent, side 1) did with its search parameters, match by match."""
        joined = "trajectory JOIN cell ON cell.id = trajectory.cell"
        query = f"SELECT data FROM {joined} WHERE cell.key = ? AND side = ? ORDER BY pair, seat"
        for (data,) in self.db.execute(query, (key, side)):
            yield _unpack(data, self.path)

    def builds(self) -> list[tuple[str, str, int]]:
        """Versions and signatures in this store, with the number of their matches."""
        joined = "match JOIN build ON build.id = match.build"
        return list(self.db.execute(f"SELECT version, signature, count(*) FROM {joined} GROUP BY build.id"))

    def count(self) -> int:
        """Number of matches."""
        return int(self.db.execute("SELECT count(*) FROM match").fetchone()[0])


def _insert(table: str, columns: Iterable[str]) -> str:
    names = list(columns)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({','.join('?' * len(names))})"


def _pack(trajectory: Condensed) -> bytes:
    return zlib.compress(msgspec.json.encode(trajectory), 6)


def _unpack(data: bytes, path: Path) -> Condensed:
    try:
        unpacker = zlib.decompressobj()
        return msgspec.json.decode(unpacker.decompress(data, LARGEST_TRAJECTORY), type=Condensed)
    except (zlib.error, msgspec.DecodeError, TypeError) as error:
        raise BadInput(f"{path} holds a trajectory that cannot be read: {error}") from None
