"""SQLite with errors that a person can act on, and files that can be read wherever they lie."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from paidia.core.errors import BadInput

__all__ = ["Damaged", "connect", "open_to_read"]

P = ParamSpec("P")
R = TypeVar("R")


class Damaged(BadInput):
    """The file of a store is not as SQLite, or paidia, would have left it."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(f"{path} is damaged: {what}; `paidia export --salvage {path} FILE` saves what can be read of it")


def _explained(path: Path, error: sqlite3.Error) -> BadInput:
    if isinstance(error, sqlite3.OperationalError) or "not a database" in str(error):
        return BadInput(f"{path} cannot be used as a store: {error}")
    return Damaged(path, str(error))


class _Cursor(sqlite3.Cursor):
    """A cursor whose errors name the file."""

    def _guarded(self, call: Callable[P, R], *args: P.args, **options: P.kwargs) -> R:
        try:
            return call(*args, **options)
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.NotSupportedError, sqlite3.InternalError):
            raise  # a defect of ours
        except sqlite3.DatabaseError as error:
            path = self.connection.path  # type: ignore[attr-defined]
            raise _explained(path, error) from None
        except UnicodeDecodeError:
            raise Damaged(self.connection.path, "a text in it is no text") from None  # type: ignore[attr-defined]

    def execute(self, *args: Any) -> _Cursor:
        self._guarded(super().execute, *args)
        return self

    def executemany(self, *args: Any) -> _Cursor:
        self._guarded(super().executemany, *args)
        return self

    def fetchone(self) -> Any:
        return self._guarded(super().fetchone)

    def fetchall(self) -> list[Any]:
        return self._guarded(super().fetchall)

    def __next__(self) -> Any:
        return self._guarded(super().__next__)


class _Connection(sqlite3.Connection):
    """A connection that knows its file."""

    path: Path
    copy: tempfile.TemporaryDirectory[str] | None = None

    def cursor(self, factory: Any = _Cursor) -> Any:
        return super().cursor(factory)

    def execute(self, *args: Any) -> _Cursor:
        found: _Cursor = self.cursor().execute(*args)
        return found

    def executemany(self, *args: Any) -> _Cursor:
        found: _Cursor = self.cursor().executemany(*args)
        return found

    def close(self) -> None:
        super().close()
        if self.copy is not None:
            self.copy.cleanup()


def connect(path: Path, options: str = "", *, name: Path | None = None) -> _Connection:
    """A connection to a file; `options` are those of SQLite's URIs, `name` is what errors call it."""
    try:
        db = sqlite3.connect(f"{path.resolve().as_uri()}{options}", uri=True, isolation_level=None, factory=_Connection)
    except sqlite3.Error as error:
        raise _explained(name or path, error) from None
    db.path = name or path
    return db


def open_to_read(path: Path) -> _Connection:
    """A connection for reading, also where nothing can be written beside the file (a read-only folder, a CD).

    A file with a write-ahead log needs a place for SQLite's shared memory. Without that, the file is read as it is if it has no
    log; otherwise a copy of both is read in a folder for temporary files.
    """
    db = connect(path, "?mode=ro")
    try:
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return db
    except Damaged:
        db.close()
        raise
    except BadInput:
        db.close()
    log = path.with_name(path.name + "-wal")
    if not log.exists() or log.stat().st_size == 0:
        db = connect(path, "?mode=ro&immutable=1")
        with contextlib.suppress(BadInput):
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            return db
        db.close()
    folder = tempfile.TemporaryDirectory()
    copy = Path(folder.name) / path.name
    try:
        shutil.copyfile(path, copy)
        if log.exists():
            shutil.copyfile(log, copy.with_name(copy.name + "-wal"))
        db = connect(copy, name=path)
        db.copy = folder
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except (OSError, BadInput) as error:
        folder.cleanup()
        raise BadInput(f"cannot read the store {path}: {error}") from None
    return db
