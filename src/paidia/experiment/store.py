"""The store of an experiment: one SQLite file, one writer, every match exactly once.

The key of a match is its place (cell, pair, seat). Rows are committed in batches: a runner that is killed
loses at most the last batch, whose matches are then still open and are played again. Readers may look at
any time (write-ahead log).
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import msgspec

import paidia
from paidia.core.errors import BadInput
from paidia.experiment.cells import Cell, Contender, definition_json
from paidia.experiment.row import Row
from paidia.experiment.trajectories import Condensed

__all__ = ["SCHEMA", "Store", "transaction"]

SCHEMA = 3
_APPLICATION = 0x70616964  # "paid": tells our files from other SQLite files

#: Columns that came with a schema, in their order; stores of older ones do not have them.
_ADDED = {
    2: ("mean_simulations REAL", "opponent_mean_simulations REAL", "slowest REAL", "opponent_slowest REAL"),
    3: ("late_moves INTEGER", "opponent_late_moves INTEGER"),
}

_TABLES = f"""
CREATE TABLE build (
    id INTEGER PRIMARY KEY, version TEXT NOT NULL, signature TEXT NOT NULL, UNIQUE (version, signature)
);
CREATE TABLE agent (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, definition TEXT NOT NULL,
    simulations INTEGER NOT NULL, seconds REAL NOT NULL, start_time REAL NOT NULL,
    UNIQUE (name, definition, simulations, seconds, start_time)
);
CREATE TABLE cell (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, game TEXT NOT NULL, label TEXT NOT NULL, level TEXT,
    agent INTEGER NOT NULL REFERENCES agent, opponent INTEGER REFERENCES agent,
    roles INTEGER NOT NULL, seats INTEGER NOT NULL, seed INTEGER NOT NULL, plan TEXT NOT NULL
);
CREATE TABLE match (
    cell INTEGER NOT NULL REFERENCES cell, pair INTEGER NOT NULL, seat INTEGER NOT NULL,
    seed INTEGER NOT NULL, goals TEXT NOT NULL, points REAL, moves INTEGER NOT NULL,
    simulations INTEGER NOT NULL, opponent_simulations INTEGER,
    median_simulations REAL NOT NULL, opponent_median_simulations REAL,
    median_rate REAL NOT NULL, opponent_median_rate REAL,
    overruns INTEGER NOT NULL, opponent_overruns INTEGER,
    score REAL, seconds REAL NOT NULL, ending TEXT NOT NULL, fault INTEGER, message TEXT NOT NULL,
    build INTEGER NOT NULL REFERENCES build,
    {", ".join(column for columns in _ADDED.values() for column in columns)},
    PRIMARY KEY (cell, pair, seat)
) WITHOUT ROWID;
"""

#: What agents did with their search parameters: the agent (side 0) or its opponent (1) in a match.
_TRAJECTORY = """
CREATE {temporary} TABLE trajectory (
    cell INTEGER NOT NULL, pair INTEGER NOT NULL, seat INTEGER NOT NULL, side INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (cell, pair, seat, side)
) WITHOUT ROWID;
"""

_COLUMNS = 27

#: No trajectory is larger: a part of one match has some dozens of numbers.
LARGEST_TRAJECTORY = 10_000_000


class Store:
    """An open store."""

    def __init__(self, path: Path, *, write: bool = False) -> None:
        self.path = path
        self._lock = _Lock(path) if write else None
        try:
            if write:
                self.db = sqlite3.connect(path, isolation_level=None)
                self._create()
            else:
                if not path.is_file():
                    raise BadInput(f"there is no store {path}")
                self.db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
            self._check()
        except sqlite3.Error as error:
            self._unlock()
            raise BadInput(f"{path} cannot be used as a store: {error}") from None
        except BadInput:
            self._unlock()
            raise
        self._build: int | None = None

    def _create(self) -> None:
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = NORMAL")
        if self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
            marks = f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {SCHEMA};"
            self.db.executescript(f"BEGIN; {_TABLES} {_TRAJECTORY.format(temporary='')} {marks} COMMIT;")

    def _check(self) -> None:
        if self.db.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
            raise BadInput(f"{self.path} is not a store of paidia")
        version = self.db.execute("PRAGMA user_version").fetchone()[0]
        if 1 <= version < SCHEMA:
            self._modernise(version, write=self._lock is not None)
        elif version != SCHEMA:
            raise BadInput(f"{self.path} has schema {version}; this version of paidia reads schema {SCHEMA}")

    def _modernise(self, version: int, *, write: bool) -> None:
        """An older store lacks some columns, and of schema 1 a table: added where we may write, else only seen."""
        absent = [column for schema, columns in _ADDED.items() if schema > version for column in columns]
        table = _TRAJECTORY.format(temporary="" if write else "TEMP") if version == 1 else ""
        if write:
            columns = "".join(f"ALTER TABLE match ADD COLUMN {column};" for column in absent)
            self.db.executescript(f"BEGIN; {columns} {table} PRAGMA user_version = {SCHEMA}; COMMIT;")
        else:
            columns = ", ".join(f"NULL AS {column.split()[0]}" for column in absent)
            self.db.executescript(f"CREATE TEMP VIEW match AS SELECT *, {columns} FROM main.match; {table}")

    def close(self) -> None:
        """Close the file."""
        self.db.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # writing

    def open_cell(self, cell: Cell, *, plan: str) -> int:
        """The number of a cell, entered if it is new."""
        found = self.db.execute("SELECT id FROM cell WHERE key = ?", (cell.key,)).fetchone()
        if found:
            return int(found[0])
        sides = [self._agent(contender) for contender in cell.contenders]
        opponent = sides[1] if len(sides) > 1 else None
        return int(
            self.db.execute(
                "INSERT INTO cell (key, game, label, level, agent, opponent, roles, seats, seed, plan)"
                " VALUES (?,?,?,?,?,?,?,?,?,?)",
                (
                    cell.key,
                    cell.game,
                    cell.label,
                    cell.level,
                    sides[0],
                    opponent,
                    cell.n_roles,
                    len(cell.seats),
                    cell.seed,
                    plan,
                ),
            ).lastrowid
            or 0
        )

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

    def build(self, signature: str = "") -> int:
        """The number of the running version of paidia."""
        if self._build is None:
            values = (paidia.__version__, signature)
            self.db.execute("INSERT OR IGNORE INTO build (version, signature) VALUES (?,?)", values)
            found = self.db.execute("SELECT id FROM build WHERE version = ? AND signature = ?", values)
            self._build = int(found.fetchone()[0])
        return self._build

    def add(self, rows: Iterable[tuple[int, int, int, Row]], *, signature: str = "") -> None:
        """Enter finished matches `(cell, pair, seat, row)`, all or none of them."""
        build = self.build(signature)
        marks = ",".join("?" * _COLUMNS)
        kept = list(rows)
        told = [
            (cell, pair, seat, side, _pack(trajectory))
            for cell, pair, seat, row in kept
            for side, trajectory in enumerate(row.trajectories)
            if trajectory is not None
        ]
        with transaction(self.db):
            self.db.executemany(f"INSERT INTO match VALUES ({marks})", (_flat(*row, build) for row in kept))
            self.db.executemany("INSERT INTO trajectory VALUES (?,?,?,?,?)", told)

    def drop_after(self, cell: int, pair: int) -> None:
        """Forget the matches of a cell beyond `pair`: they were played before its stopping rule had been
        heard.
        """
        with transaction(self.db):
            for table in ("match", "trajectory"):
                self.db.execute(f"DELETE FROM {table} WHERE cell = ? AND pair > ?", (cell, pair))

    # reading

    def done(self, cell: int) -> Iterator[tuple[int, int, float | None]]:
        """Place and points of the matches that a cell already has, in order."""
        yield from self.db.execute("SELECT pair, seat, points FROM match WHERE cell = ? ORDER BY pair, seat", (cell,))

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


def _flat(cell: int, pair: int, seat: int, row: Row, build: int) -> tuple[object, ...]:
    def sides(values: list[int] | list[float]) -> tuple[object, object]:
        return values[0] if values else None, values[1] if len(values) > 1 else None

    return (
        cell,
        pair,
        seat,
        row.seed,
        msgspec.json.encode(row.goals).decode(),
        row.points,
        row.moves,
        *sides(row.simulations),
        *sides(row.median_simulations),
        *sides(row.median_rate),
        *sides(row.overruns),
        row.score,
        row.seconds,
        row.ending,
        row.fault,
        row.message,
        build,
        *sides(row.mean_simulations),
        *sides(row.slowest),
        *sides(row.late_moves),
    )


def _pack(trajectory: Condensed) -> bytes:
    return zlib.compress(msgspec.json.encode(trajectory), 6)


def _unpack(data: bytes, path: Path) -> Condensed:
    try:
        unpacker = zlib.decompressobj()
        return msgspec.json.decode(unpacker.decompress(data, LARGEST_TRAJECTORY), type=Condensed)
    except (zlib.error, msgspec.DecodeError, TypeError) as error:
        raise BadInput(f"{path} holds a trajectory that cannot be read: {error}") from None


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


class _Lock:
    """One writer per store. The operating system frees the lock when its holder dies, however it dies."""

    def __init__(self, path: Path) -> None:
        file = path.with_name(path.name + ".lock")
        try:
            self._file = file.open("a")
        except OSError as error:
            raise BadInput(f"cannot write the store {path}: {error}") from None
        try:
            _lock(self._file.fileno())
        except OSError:
            self._file.close()
            raise BadInput(f"another run is writing to {path}: wait for it or give another --store") from None

    def release(self) -> None:
        self._file.close()


try:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
except ImportError:  # Windows
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
