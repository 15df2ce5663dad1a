"""Worker processes on this machine. One that crashes or hangs is replaced, and its match repeated a few
times before it counts as failed.

Short matches are sent in batches; when a worker dies with several of them, each is tried again alone, so
that only the guilty one is blamed.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import time
from collections import deque
from collections.abc import Iterator
from multiprocessing.connection import wait

from paidia.core.errors import PaidiaError
from paidia.experiment import worker
from paidia.experiment.cells import Cell
from paidia.experiment.outcome import Outcome, failed
from paidia.experiment.schedule import Job

__all__ = ["LocalBackend", "default_workers"]

#: Work that a worker holds beyond the match it plays, in seconds; and the most jobs of it.
AHEAD = 0.1
MOST_AHEAD = 200

#: How long the runner waits before it looks at its clocks again, in seconds.
TICK = 0.25


def default_workers() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Worker:
    """One process with the jobs that it holds."""

    def __init__(self, cells: list[Cell]) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=worker.main, args=(other, cells), daemon=True)
        self.process.start()
        other.close()
        self.jobs: deque[Job] = deque()
        self.heard: float | None = None  # when it last spoke or got work; None until it has started

    def send(self, jobs: list[Job]) -> None:
        if not self.jobs and self.heard is not None:
            self.heard = time.monotonic()
        self.jobs.extend(jobs)
        with contextlib.suppress(OSError):  # it has died, which the next look at its pipe will show
            self.pipe.send(jobs)

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class LocalBackend:
    """Plays matches in processes of this machine."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or default_workers()

    def outcomes(
        self, cells: list[Cell], jobs: Iterator[Job], *, limit: float, retries: int
    ) -> Iterator[Outcome | None]:
        """See `Backend`."""
        pool = _Pool(cells, jobs, limit, retries)
        try:
            yield from pool.run(self.workers)
        finally:
            pool.close()


class _Pool:
    """The workers of one run."""

    def __init__(self, cells: list[Cell], jobs: Iterator[Job], limit: float, retries: int) -> None:
        self.cells, self.jobs, self.limit, self.retries = cells, jobs, limit, retries
        self.workers: list[_Worker] = []
        self.again: deque[Job] = deque()  # jobs of a worker that died, to be played alone
        self.attempts: dict[Job, int] = {}
        self.stillborn = 0  # workers that died before they had started
        self.seconds = 1.0  # running mean of a match: the first ones are sent one by one

    def run(self, number: int) -> Iterator[Outcome | None]:
        self.workers = [_Worker(self.cells) for _ in range(number)]
        while True:
            for each in self.workers:
                self._feed(each)
            busy = [each for each in self.workers if each.jobs]
            if not busy:
                return
            ready = wait([each.pipe for each in busy], timeout=TICK)
            for each in busy:
                if each.pipe in ready:
                    yield from self._hear(each)
                elif each.heard is not None and time.monotonic() - each.heard > self.limit:
                    yield from self._replace(each, f"took longer than {self.limit:g} s (match_limit)")
            yield None

    def _feed(self, each: _Worker) -> None:
        if any(job in self.attempts for job in each.jobs):
            return  # a suspect plays alone
        if self.again:
            if not each.jobs:
                each.send([self.again.popleft()])
            return
        ahead = min(MOST_AHEAD, int(AHEAD / self.seconds))
        if len(each.jobs) > ahead // 2:
            return
        wanted = [job for _, job in zip(range(1 + ahead - len(each.jobs)), self.jobs, strict=False)]
        if wanted:
            each.send(wanted)

    def _hear(self, each: _Worker) -> Iterator[Outcome]:
        try:
            answers: list[worker.Answer] = each.pipe.recv()
        except (EOFError, OSError):
            each.process.join(1)
            yield from self._replace(each, f"its process died (exit code {each.process.exitcode})")
            return
        each.heard = time.monotonic()
        for job, row, reason in answers:
            each.jobs.popleft()
            if row is None:
                yield from self._blame(job, reason)
                continue
            self.attempts.pop(job, None)
            self.seconds += 0.1 * (row.seconds - self.seconds)
            yield Outcome(job, row)

    def _replace(self, each: _Worker, reason: str) -> Iterator[Outcome]:
        each.kill()
        if each.heard is None:
            self.stillborn += 1
            if self.stillborn > 2 * len(self.workers):
                raise PaidiaError(f"the worker processes cannot start: {reason}")
        self.workers[self.workers.index(each)] = _Worker(self.cells)
        if len(each.jobs) == 1 and each.heard is not None:
            yield from self._blame(each.jobs[0], reason)
            return
        for job in each.jobs:
            self.attempts.setdefault(job, 0)
            self.again.append(job)

    def _blame(self, job: Job, reason: str) -> Iterator[Outcome]:
        self.attempts[job] = self.attempts.get(job, 0) + 1
        if self.attempts[job] > self.retries:
            del self.attempts[job]
            yield failed(self.cells[job.cell], job, reason)
        else:
            self.again.append(job)

    def close(self) -> None:
        for each in self.workers:
            each.kill()
