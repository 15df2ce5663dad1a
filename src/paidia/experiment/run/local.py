"""Worker processes on this machine."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from functools import partial
from multiprocessing import connection

from paidia.experiment.cells import Cell
from paidia.experiment.play import play
from paidia.experiment.run import worker
from paidia.experiment.run.outcome import Outcome
from paidia.experiment.run.pool import Pool, Worker, WorkerDied
from paidia.experiment.run.processes import processes
from paidia.experiment.run.schedule import Job

__all__ = ["LocalBackend", "default_workers"]


def default_workers() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class LocalBackend:
    """Plays matches in processes of this machine; `play` is what they do with a place of a cell."""

    def __init__(self, workers: int | None = None, *, play: worker.Play = play) -> None:
        self.workers = workers or default_workers()
        self._play = play

    def outcomes(self, cells: list[Cell], jobs: Iterator[Job], *, limit: float, retries: int) -> Iterator[Outcome | None]:
        """See `Backend`."""
        start = partial(_Process, cells, self._play)
        return Pool(cells, jobs, start=start, wait=_wait, limit=limit, retries=retries).outcomes(self.workers)


class _Process(Worker):
    """One process, with a pipe to it."""

    def __init__(self, cells: list[Cell], play: worker.Play) -> None:
        super().__init__()
        context = processes()
        self.pipe, other = context.Pipe()
        self._process = context.Process(target=worker.main, args=(other, cells, play, dict(os.environ)), daemon=True)
        with _deaf():
            self._process.start()
        other.close()

    def send(self, jobs: list[Job]) -> None:
        with contextlib.suppress(OSError):
            self.pipe.send(jobs)

    def receive(self) -> list[worker.Answer]:
        try:
            answers: list[worker.Answer] = self.pipe.recv()
        except (EOFError, OSError):
            self._process.join(1)
            raise WorkerDied(f"its process died (exit code {self._process.exitcode})") from None
        return answers

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self.pipe.close()


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """A process that is started here ignores Ctrl-C from its first instruction on: the runner decides when it ends."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _wait(workers: Sequence[Worker], seconds: float) -> Sequence[Worker]:
    by_pipe = {each.pipe: each for each in workers if isinstance(each, _Process)}
    return [by_pipe[pipe] for pipe in connection.wait(by_pipe, timeout=seconds)]  # type: ignore[index]
