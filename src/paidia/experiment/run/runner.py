"""Runs a plan, or the part of it that a store does not yet have.

The results depend on the plan alone (with a budget in simulations): not on the number of workers, nor on
how often the run was killed.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import msgspec

from paidia.experiment.cells import Cell
from paidia.experiment.expand import expand
from paidia.experiment.plan import Plan
from paidia.experiment.row import Row
from paidia.experiment.run.agents import check_agents
from paidia.experiment.run.outcome import Backend, Outcome
from paidia.experiment.run.progress import Progress, Silent
from paidia.experiment.run.schedule import CellProgress, Schedule
from paidia.experiment.store import Store

__all__ = ["RunResult", "run_plan"]

#: Endings that say more of a player's code than of its play.
FAULTS = ("failed", "crash", "illegal move", "illegal action")

#: Finished matches are committed at least this often, in seconds.
COMMIT_EVERY = 0.5


class RunResult(msgspec.Struct, frozen=True):
    """How a run ended.

    Attributes:
        played: Matches of this run.
        done: Matches that the store has of this plan.
        target: Matches of the plan.
        failed: Matches of the plan that could not be played.
        regular: Matches that neither failed nor ended by a player that crashed or broke the rules.
        faults: Cells of which no match came to a regular end, each with the reason of the first.
        reason: "finished", "interrupted" or "out of time".
        seconds: How long it took.
        verdicts: With a stopping rule: what it says about each cell.
    """

    played: int
    done: int
    target: int
    failed: int
    regular: int
    reason: str
    seconds: float
    verdicts: dict[str, str] = {}
    faults: dict[str, str] = {}

    @property
    def vain(self) -> bool:
        """Whether there are matches, and not one of them came to a regular end."""
        return self.done > 0 and self.regular == 0


def run_plan(
    plan: Plan,
    store: Store,
    *,
    backend: Backend,
    folder: Path = Path(),
    file: str = "",
    cells: list[Cell] | None = None,
    progress: Progress | None = None,
    workers: int = 1,
    seconds: float | None = None,
    signature: Callable[[Cell], str] = lambda cell: "",
    targets: Mapping[str, int] | None = None,
) -> RunResult:
    """Play all matches of a plan that the store does not have.

    Args:
        plan: The plan.
        store: Where results go, open for writing.
        backend: Where matches are played.
        folder: Where relative paths of the plan start.
        file: Name of the plan's file, for errors.
        cells: The plan's cells, if they are already expanded.
        progress: Shows how far it is.
        workers: How many matches the backend plays at a time, for the time left.
        seconds: Stop cleanly after so long.
        signature: Tells what identifies the behaviour of this build that a cell depends on, kept with its matches; asked once
            there is a match to keep.
        targets: Matches of a cell, by its key, where it is not to have as many as the plan says.
    """
    cells = expand(plan, folder=folder, file=file) if cells is None else cells
    check_agents(cells, file or f"plan {plan.name}")
    run = _Run(plan, cells, store, signature, targets or {})
    began = time.monotonic()
    reason = "finished"
    outcomes = backend.outcomes(cells, run.schedule.jobs(), limit=plan.match_limit, retries=plan.retries)
    try:
        with progress or Silent() as shown, _terminable():
            for outcome in outcomes:
                run.take(outcome)
                shown.show(run.progress, workers)
                if seconds is not None and time.monotonic() - began > seconds:
                    reason = "out of time"
                    break
    except KeyboardInterrupt:
        reason = "interrupted"
    finally:
        outcomes.close()  # type: ignore[attr-defined]
        run.commit()
    return RunResult(
        played=run.played,
        done=sum(cell.done for cell in run.progress),
        target=sum(cell.target for cell in run.progress),
        failed=sum(cell.failed for cell in run.progress),
        regular=sum(run.regular),
        reason=reason,
        seconds=time.monotonic() - began,
        verdicts={cell.cell.title: cell.verdict or "open" for cell in run.progress} if plan.stop else {},
        faults={cell.cell.title: fault for cell, fault in zip(run.progress, run.faults(), strict=True) if fault},
    )


class _Run:
    """What a run knows: progress of each cell, and rows that are not committed yet."""

    def __init__(
        self, plan: Plan, cells: list[Cell], store: Store, signature: Callable[[Cell], str], targets: Mapping[str, int]
    ) -> None:
        self.store = store
        self._signature = signature
        self._signatures: dict[int, str] = {}  # of the cells that have matches to keep
        self.ids = [store.open_cell(cell, plan=plan.name) for cell in cells]
        self.progress = [CellProgress(cell, matches=targets.get(cell.key, plan.matches), stop=plan.stop) for cell in cells]
        self.played = 0
        self.regular = [store.other_endings(id, FAULTS) for id in self.ids]  # matches of each cell that ended as one should
        self._rows: list[tuple[int, int, int, Row]] = []
        self._committed = time.monotonic()
        done: list[set[tuple[int, int]]] = []
        for id, cell in zip(self.ids, self.progress, strict=True):
            places = set()
            for pair, seat, points in list(store.done(id)):
                places.add((pair, seat))
                if cell.note(pair, points):
                    store.drop_after(id, cell.pairs - 1)
            done.append(places)
        self.schedule = Schedule(self.progress, done)

    def take(self, outcome: Outcome | None) -> None:
        """Keep an outcome; commit when it is time to."""
        if outcome is not None:
            job, row = outcome.job, outcome.row
            cell = self.progress[job.cell]
            if job.pair < cell.pairs:  # else its cell has been stopped in the meantime
                self._rows.append((self.ids[job.cell], job.pair, job.seat, row))
                if self.ids[job.cell] not in self._signatures:
                    self._signatures[self.ids[job.cell]] = self._signature(cell.cell)
                self.played += 1
                self.regular[job.cell] += row.match["ending"] not in FAULTS
                cell.played += 1
                cell.seconds += row.seconds
                if cell.note(job.pair, row.points):
                    self.commit()
                    self.store.drop_after(self.ids[job.cell], cell.pairs - 1)
        if time.monotonic() - self._committed > COMMIT_EVERY:
            self.commit()

    def faults(self) -> list[str]:
        """For each cell without a regular match, if it has any, why the first is none."""
        empty = zip(self.ids, self.progress, self.regular, strict=True)
        return ["" if regular or not cell.done else self.store.ending(id) for id, cell, regular in empty]

    def commit(self) -> None:
        """Make everything so far safe."""
        rows, self._rows = self._rows, []  # an interrupt may lose a batch, but never enters it twice
        if rows:
            self.store.add(rows, signatures=self._signatures)
        self._committed = time.monotonic()


@contextmanager
def _terminable() -> Iterator[None]:
    """A polite request to end (SIGTERM) is treated like Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
