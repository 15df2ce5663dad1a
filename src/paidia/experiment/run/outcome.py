"""What a backend hands back to the runner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import msgspec

from paidia.experiment.cells import Cell
from paidia.experiment.row import Row
from paidia.experiment.run.schedule import Job

__all__ = ["Backend", "Outcome", "failed"]


class Outcome(msgspec.Struct, frozen=True):
    """A finished match."""

    job: Job
    row: Row


class Backend(Protocol):
    """Where matches are played."""

    def outcomes(self, cells: list[Cell], jobs: Iterator[Job], *, limit: float, retries: int) -> Iterator[Outcome | None]:
        """Play the jobs and yield each outcome as it comes, None now and then if none comes. Closing the
        iterator ends all workers.
        """


def failed(cell: Cell, job: Job, reason: str) -> Outcome:
    """The outcome of a match that could not be played."""
    return Outcome(job, Row.failed(cell.match_seed(job.pair), len(cell.contenders), reason))
