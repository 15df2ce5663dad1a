"""How far a run is: bars on a terminal, a line every few seconds elsewhere; always on stderr."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Protocol

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from paidia.experiment.run.schedule import CellProgress

__all__ = ["Bars", "Lines", "Progress", "Silent", "make_progress"]

ROWS = 24  # cells on the screen
LINE_EVERY = 10.0  # seconds between lines


class Progress(Protocol):
    """Shows the state of a run."""

    def __enter__(self) -> Progress: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...

    def show(self, cells: list[CellProgress], workers: int) -> None:
        """Called often; shows when it is time to."""


class Silent:
    """Shows nothing."""

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        pass

    def show(self, cells: list[CellProgress], workers: int) -> None:
        pass


class Lines(Silent):
    """A line now and then, for logs."""

    def __init__(self) -> None:
        self._next = time.monotonic() + LINE_EVERY

    def __enter__(self) -> Lines:
        return self

    def show(self, cells: list[CellProgress], workers: int) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + LINE_EVERY
            print(_total(cells, workers), file=sys.stderr, flush=True)


class Bars:
    """A table of the cells that are not finished, with what each still needs."""

    def __init__(self, console: Console) -> None:
        self._live = Live(console=console, refresh_per_second=4, transient=True)
        self._next = 0.0

    def __enter__(self) -> Bars:
        self._live.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._live.__exit__(kind, error, trace)

    def show(self, cells: list[CellProgress], workers: int) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + 0.25
        table = Table(box=None, pad_edge=False)
        for name in ("cell", "matches", "points", "time left"):
            table.add_column(name, justify="left" if name == "cell" else "right")
        unfinished = [cell for cell in cells if cell.done < cell.target]
        for cell in unfinished[:ROWS]:
            counted = cell.done - cell.failed
            mean = f"{100 * cell.points / counted:.1f} %" if counted else ""
            left = _duration(_work(cell, _mean(cells)) / workers)
            table.add_row(cell.cell.title, f"{cell.done:,}/{cell.target:,}", mean, left)
        more = len(unfinished) - ROWS
        lines: list[Table | Text] = [
            table,
            *([Text(f"... and {more} more cells")] if more > 0 else []),
            Text(_total(cells, workers)),
        ]
        self._live.update(Group(*lines))


def make_progress(console: Console, *, quiet: bool = False) -> Progress:
    """What suits where stderr goes."""
    if quiet:
        return Silent()
    return Bars(console) if console.is_terminal else Lines()


def _mean(cells: list[CellProgress]) -> float:
    played = sum(cell.played for cell in cells)
    return sum(cell.seconds for cell in cells) / played if played else 0.0


def _work(cell: CellProgress, mean: float) -> float:
    """Seconds of one worker that a cell still needs."""
    return (cell.target - cell.done) * (cell.seconds / cell.played if cell.played else mean)


def _total(cells: list[CellProgress], workers: int) -> str:
    done, target = sum(cell.done for cell in cells), sum(cell.target for cell in cells)
    mean = _mean(cells)
    left = _duration(sum(_work(cell, mean) for cell in cells) / workers)
    bad = sum(cell.failed for cell in cells)
    return f"{done:,} of {target:,} matches, about {left} left" + (f", {bad:,} failed" if bad else "")


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
