"""Hands jobs to workers, wherever they are. A worker that dies or hangs is replaced, and its match repeated
a few times before it counts as failed.

Short matches are sent in batches; when a worker dies with several of them, each is tried again alone, so
that only the guilty one is blamed.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from paidia.core.errors import PaidiaError
from paidia.experiment.cells import Cell
from paidia.experiment.run.outcome import Outcome, failed
from paidia.experiment.run.schedule import Job
from paidia.experiment.run.worker import Answer

__all__ = ["Pool", "Worker", "WorkerDied"]

#: Work that a worker holds beyond the match it plays, in seconds; and the most jobs of it.
AHEAD = 0.1
MOST_AHEAD = 200

#: How long the runner waits before it looks at its clocks again, in seconds.
TICK = 0.25


class WorkerDied(Exception):
    """A worker is no longer there; the text says why."""


class Worker(ABC):
    """One worker with the jobs that it holds. It answers with an empty list when it has started, then with
    answers in order.
    """

    def __init__(self) -> None:
        self.jobs: deque[Job] = deque()
        self.heard: float | None = None  # when it last spoke or got work; None until it has started

    @abstractmethod
    def send(self, jobs: list[Job]) -> None:
        """Give it more jobs; if it has died, `receive` will tell."""

    @abstractmethod
    def receive(self) -> list[Answer]:
        """What it has to say, once it is ready to; raises `WorkerDied`."""

    @abstractmethod
    def kill(self) -> None:
        """End it at once, whatever it does."""


class Pool:
    """The workers of one run."""

    def __init__(
        self,
        cells: list[Cell],
        jobs: Iterator[Job],
        *,
        start: Callable[[], Worker],
        wait: Callable[[Sequence[Worker], float], Sequence[Worker]],
        limit: float,
        retries: int,
    ) -> None:
        self._cells, self._jobs, self._limit, self._retries = cells, jobs, limit, retries
        self._start, self._wait = start, wait
        self._workers: list[Worker] = []
        self._again: deque[Job] = deque()  # jobs of a worker that died, to be played alone
        self._attempts: dict[Job, int] = {}
        self._stillborn = 0  # workers that died before they had started
        self._seconds = 1.0  # running mean of a match: the first ones are sent one by one

    def outcomes(self, number: int) -> Iterator[Outcome | None]:
        """Every outcome as it comes from `number` workers, and None now and then."""
        try:
            self._workers = [self._start() for _ in range(number)]
            while True:
                for worker in self._workers:
                    self._feed(worker)
                busy = [worker for worker in self._workers if worker.jobs]
                if not busy:
                    return
                ready = self._wait(busy, TICK)
                for worker in busy:
                    if worker in ready:
                        yield from self._hear(worker)
                    elif worker.heard is not None and time.monotonic() - worker.heard > self._limit:
                        yield from self._replace(worker, f"took longer than {self._limit:g} s (match_limit)")
                yield None
        finally:
            for worker in self._workers:
                worker.kill()

    def _feed(self, worker: Worker) -> None:
        if any(job in self._attempts for job in worker.jobs):
            return  # a suspect plays alone
        if self._again:
            if not worker.jobs:
                self._send(worker, [self._again.popleft()])
            return
        ahead = min(MOST_AHEAD, int(AHEAD / max(self._seconds, 1e-6)))
        if len(worker.jobs) > ahead // 2:
            return
        wanted = [job for _, job in zip(range(1 + ahead - len(worker.jobs)), self._jobs, strict=False)]
        if wanted:
            self._send(worker, wanted)

    def _send(self, worker: Worker, jobs: list[Job]) -> None:
        if not worker.jobs and worker.heard is not None:
            worker.heard = time.monotonic()
        worker.jobs.extend(jobs)
        worker.send(jobs)

    def _hear(self, worker: Worker) -> Iterator[Outcome]:
        try:
            answers = worker.receive()
        except WorkerDied as death:
            yield from self._replace(worker, str(death))
            return
        worker.heard = time.monotonic()
        for job, row, reason in answers:
            worker.jobs.popleft()
            if row is None:
                yield from self._blame(job, reason)
                continue
            self._attempts.pop(job, None)
            self._seconds += 0.1 * (row.seconds - self._seconds)
            yield Outcome(job, row)

    def _replace(self, worker: Worker, reason: str) -> Iterator[Outcome]:
        worker.kill()
        if worker.heard is None:
            self._stillborn += 1
            if self._stillborn > 2 * len(self._workers):
                raise PaidiaError(f"the workers cannot start: {reason}")
        self._workers[self._workers.index(worker)] = self._start()
        if len(worker.jobs) == 1 and worker.heard is not None:
            yield from self._blame(worker.jobs[0], reason)
            return
        for job in worker.jobs:
            self._attempts.setdefault(job, 0)
            self._again.append(job)

    def _blame(self, job: Job, reason: str) -> Iterator[Outcome]:
        self._attempts[job] = self._attempts.get(job, 0) + 1
        if self._attempts[job] > self._retries:
            del self._attempts[job]
            yield failed(self._cells[job.cell], job, reason)
        else:
            self._again.append(job)
