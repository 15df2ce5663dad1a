"""Files that are there whole or not at all: a full disk or a short write never leaves half of one, or costs what was there."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from paidia.core.errors import BadInput

__all__ = ["replacing", "write_all", "write_file", "write_text"]


class Sink(Protocol):
    """What bytes go to; a write may take fewer than it is given."""

    def write(self, data: memoryview, /) -> int | None: ...


def write_all(file: Sink, data: bytes) -> None:
    """Write all of it to an unbuffered file: the system may take a part at a time."""
    left = memoryview(data)
    while left:
        done = file.write(left)
        if not done:
            raise OSError("no more can be written")
        left = left[done:]


@contextlib.contextmanager
def replacing(path: Path, *, lasting: bool = True) -> Iterator[Path]:
    """A file to write, of the same name and beside `path`; once it is whole it takes the place of what is there, and not before.

    Args:
        path: What is to be written. A terminal or a pipe is written to as it is: it holds nothing to keep.
        lasting: Wait until the disk has it: then it is whole after a power cut too.

    Raises:
        OSError: It cannot be written; what was there is there still.
    """
    if path.exists() and not path.is_file():
        yield path
        return
    target = path.resolve()  # a link stays a link
    mode = target.stat().st_mode & 0o7777 if target.exists() else None
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    folder = None
    try:
        folder = tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent)  # nobody who lists *.json sees half of one
        fresh = Path(folder, target.name)
        yield fresh
        if lasting:
            with fresh.open("rb+") as file:
                os.fsync(file.fileno())
        fresh.chmod(_usual() if mode is None else mode)
        fresh.replace(target)
    except OSError as error:
        if error.filename is not None and (folder is None or str(error.filename).startswith(folder)):
            raise type(error)(error.errno, error.strerror, str(path)) from None  # by the name that the user knows
        raise
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def write_text(path: Path, text: str) -> None:
    """Put a text at a path, in the place of what is there; an `OSError` says why that is not possible."""
    _put(path, text.encode())


def write_file(path: Path, data: bytes) -> None:
    """Put a file at a path, in the place of what is there; `BadInput` says why that is not possible."""
    try:
        _put(path, data)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror or error}") from None


def _put(path: Path, data: bytes) -> None:
    with replacing(path) as fresh, fresh.open("wb", buffering=0) as file:
        write_all(file, data)


def _usual() -> int:
    """The permissions of a new file."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
