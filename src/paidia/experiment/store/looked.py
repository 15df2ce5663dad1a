"""Stores that were looked through for damage once need not be looked through again, as long as every byte of them is the same.

Going through a million matches takes many seconds, their digest a fraction of one. The digests of sound stores are remembered as
names of empty files in the user's cache (`XDG_CACHE_HOME`, or `~/.cache`); where that cannot be written, or is not there, a store
is looked through each time. What is damaged later, in whichever way, has another digest.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from functools import cache
from pathlib import Path

from paidia.experiment.store.rows import CHECKED, check_rows, conditions
from paidia.experiment.store.schema import SCHEMA

__all__ = ["digest_of", "look_through", "remember"]

#: Smaller files are looked through in no time.
WORTH_IT = 1 << 20

#: So many stores are remembered, those that were seen last.
MOST = 500


def look_through(db: sqlite3.Connection, path: Path, before: str | None) -> None:
    """Raise `Damaged` where a page or row is not as paidia leaves it, unless just this was found sound before.

    Args:
        db: The open store.
        path: Its file.
        before: The digest of the file before it was opened, which changes it if it is opened to write.
    """
    if before is not None and _known(before):
        return
    check_rows(db, path)
    if before is not None and digest_of(path) == before:  # else somebody wrote meanwhile, or will
        _note(before)


def remember(path: Path) -> None:
    """A store that was sound when it was opened has been written by us alone since, and is closed."""
    found = digest_of(path)
    if found is not None:
        _note(found)


def digest_of(path: Path) -> str | None:
    """Of the file and its log, and of what is asked of rows; None if that is not worth it or cannot be read."""
    digest = hashlib.sha256(_asked())
    try:
        if path.stat().st_size < WORTH_IT:
            return None
        for part in path, path.with_name(path.name + "-wal"):
            if part.exists():
                with part.open("rb") as file:
                    digest.update(hashlib.file_digest(file, "sha256").digest())
    except OSError:
        return None
    return digest.hexdigest()


@cache
def _asked() -> bytes:
    """What rows have to be like in this version of paidia."""
    return repr([SCHEMA, [conditions(table) for table in CHECKED]]).encode()


def _folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "paidia" / "stores"


def _known(digest: str) -> bool:
    try:
        file = _folder() / digest
        if not file.is_file():
            return False
        with contextlib.suppress(OSError):
            os.utime(file)
        return True
    except OSError:
        return False


def _note(digest: str) -> None:
    with contextlib.suppress(OSError):
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / digest).touch()
        kept = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime, reverse=True)
        for file in kept[MOST:]:
            file.unlink(missing_ok=True)
