"""Files that are there whole or not at all: a full disk or a short write never leaves half of one, or costs what was there."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Protocol

from paidia.core.errors import BadInput

__all__ = ["write_all", "write_file"]


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


def write_file(path: Path, data: bytes) -> None:
    """Put a file at a path, in the place of what is there; `BadInput` says why that is not possible."""
    try:
        if path.exists() and not path.is_file():  # a terminal, a pipe: nothing to keep
            path.write_bytes(data)
            return
        target = path.resolve()  # a link stays a link
        mode = target.stat().st_mode & 0o7777 if target.exists() else None
        number, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with open(number, "wb", buffering=0) as file:
                write_all(file, data)
                os.fsync(file.fileno())
            os.chmod(name, _usual() if mode is None else mode)
            os.replace(name, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror or error}") from None


def _usual() -> int:
    """The permissions of a new file."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
