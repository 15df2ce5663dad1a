"""The log of a tuning run: a JSON line for every match, on the disk a moment after it was played.

A kill costs the matches of that moment, which are played again with the same result; a line that it cut off is dropped. The
first line names the plan by its digest; a log of another plan is refused.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

import msgspec

from paidia.core.errors import BadInput
from paidia.core.files import write_all

__all__ = ["Log", "Place"]

FORMAT = 1

#: Results wait at most this many seconds before they are written: the disk is slower than a short match.
GATHER = 0.1


class Place(msgspec.Struct, frozen=True, array_like=True):
    """Where a match belongs: number of the evaluation (-1: validation), of the cell, pair and seat."""

    evaluation: int
    cell: int
    pair: int
    seat: int


class _Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    plan: str
    digest: str


class _Line(msgspec.Struct, frozen=True, array_like=True):
    place: Place
    points: float


class Log:
    """All results so far, open for more."""

    def __init__(self, path: Path, *, plan: str, digest: str) -> None:
        self.path = path
        self.points: dict[Place, float] = {}
        self._waiting: list[bytes] = []
        self._written = 0.0
        head = _Head(FORMAT, plan, digest)
        try:
            data = path.read_bytes() if path.exists() else b""
            whole = data[: data.rfind(b"\n") + 1]
            lines = whole.splitlines()
            if lines:
                self._check(lines[0], head)
                self._read(lines[1:])
            self._file = path.open("r+b" if data else "wb", buffering=0)
            self._end = len(whole)  # of what is surely there
            self._file.truncate(self._end)
            self._file.seek(self._end)
            if not lines:
                self._waiting.append(msgspec.json.encode(head))
                self._write()
        except OSError as error:
            raise BadInput(f"cannot write the log {path}: {error}") from None

    def _check(self, line: bytes, head: _Head) -> None:
        try:
            found = msgspec.json.decode(line, type=_Head)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise BadInput(f"{self.path} is not the log of a tuning run; give another file with --store") from None
        if found.format != FORMAT:
            raise BadInput(f"{self.path} has format {found.format}; this version of paidia writes format {FORMAT}")
        if found.digest != head.digest:
            raise BadInput(
                f"{self.path} belongs to another plan, or to this one before it was changed; give another file with --store"
            )

    def _read(self, lines: Iterable[bytes]) -> None:
        for number, line in enumerate(lines, start=2):
            try:
                row = msgspec.json.decode(line, type=_Line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise BadInput(f"{self.path}:{number}: not a result: {error}") from None
            if not 0 <= row.points <= 1:
                raise BadInput(f"{self.path}:{number}: points are from 0 to 1, not {row.points}")
            self.points[row.place] = row.points

    def add(self, results: Iterable[tuple[Place, float]]) -> None:
        """Keep results; they are on the disk a moment later, or when the log is closed."""
        for place, points in results:
            self._waiting.append(msgspec.json.encode(_Line(place, points)))
            self.points[place] = points
        if time.monotonic() - self._written > GATHER:
            self._write()

    def _write(self) -> None:
        data = b"".join(line + b"\n" for line in self._waiting)
        try:
            write_all(self._file, data)
            os.fsync(self._file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):  # what came of it is no line
                self._file.truncate(self._end)
                self._file.seek(self._end)
            again = "the same command goes on where this one ended"
            raise BadInput(f"cannot write the log {self.path}: {error.strerror or error}; {again}") from None
        self._end += len(data)
        self._waiting.clear()
        self._written = time.monotonic()

    def __enter__(self) -> Log:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            if not isinstance(error, BadInput):  # else it was told already that nothing more can be written
                self._write()
        finally:
            self._file.close()
