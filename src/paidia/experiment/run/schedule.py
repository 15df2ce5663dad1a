"""Which match comes next. Cells advance together, pair by pair, so that a run cut short has the same number
of matches everywhere.

Nothing here depends on the order in which results arrive: a stopping rule looks at the pairs of its cell in
their order only.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from paidia.experiment.cells import Cell
from paidia.experiment.plan import Stop
from paidia.experiment.run.sequential import verdict

__all__ = ["CellProgress", "Job", "Schedule"]


class Job(msgspec.Struct, frozen=True, array_like=True):
    """The place of a match: number of its cell in the plan, pair, seat."""

    cell: int
    pair: int
    seat: int


class CellProgress:
    """How far a cell is."""

    def __init__(self, cell: Cell, *, matches: int, stop: Stop | None) -> None:
        self.cell = cell
        self.seats = len(cell.seats)
        self.pairs = -(-matches // self.seats)  # planned; a stopping rule may lower it
        self.verdict: str | None = None
        self.done = 0
        self.points = 0.0
        self.failed = 0
        self.seconds = 0.0  # spent on matches of this run
        self.played = 0  # in this run
        self._stop = stop
        self._open: dict[int, list[float | None]] = {}  # points of pairs that are not yet counted
        self._next = 0  # the pairs below are counted
        self._number, self._total, self._squares = 0, 0.0, 0.0

    @property
    def target(self) -> int:
        """Matches that the cell will have."""
        return self.pairs * self.seats

    def note(self, pair: int, points: float | None) -> bool:
        """A match has ended (points None: it failed). True if its cell has just been stopped by its rule."""
        if pair >= self.pairs:
            return False
        self.done += 1
        self.points += points or 0.0
        self.failed += points is None
        if self._stop is None:
            return False
        self._open.setdefault(pair, []).append(points)
        while len(self._open.get(self._next, ())) == self.seats:
            self._count(self._open.pop(self._next))
            self._next += 1
            if self.verdict is not None:
                self.pairs = self._next
                beyond = [p for points in self._open.values() for p in points]
                self.done -= len(beyond)
                self.failed -= sum(p is None for p in beyond)
                self.points -= sum(p or 0.0 for p in beyond)
                self._open.clear()
                return True
        return False

    def _count(self, points: list[float | None]) -> None:
        assert self._stop is not None
        real = [p for p in points if p is not None]
        if len(real) < len(points):
            return  # a pair with a failed match is no observation
        mean = sum(real) / len(real)
        self._number += 1
        self._total += mean
        self._squares += mean * mean
        if self._number * self.seats >= self._stop.least:
            rule = self._stop
            self.verdict = verdict(self._number, self._total, self._squares, alpha=rule.alpha, beta=rule.beta, effect=rule.effect)


class Schedule:
    """All open matches of a plan, in order."""

    def __init__(self, progress: list[CellProgress], done: list[set[tuple[int, int]]]) -> None:
        self.progress = progress
        self._done = done

    def jobs(self) -> Iterator[Job]:
        """The open matches; read lazily, so that cells that stop in the meantime offer no more."""
        pair = 0
        while any(pair < cell.pairs for cell in self.progress):
            for number, cell in enumerate(self.progress):
                for seat in range(cell.seats):
                    if pair < cell.pairs and (pair, seat) not in self._done[number]:
                        yield Job(number, pair, seat)
            pair += 1
