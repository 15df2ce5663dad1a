"""Workers on a Ray cluster: the one that RAY_ADDRESS names, or a small one on this machine. paidia has to
be installed on its nodes.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from paidia.core.errors import BadInput
from paidia.experiment.cells import Cell
from paidia.experiment.play import play, warm_up
from paidia.experiment.run.local import default_workers
from paidia.experiment.run.outcome import Outcome
from paidia.experiment.run.pool import Pool, Worker, WorkerDied
from paidia.experiment.run.schedule import Job
from paidia.experiment.run.worker import Answer, attempt

__all__ = ["RayBackend"]


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise BadInput("the ray backend needs Ray: pip install 'paidia[cluster]'") from None
    return ray


class RayBackend:
    """Plays matches on a Ray cluster, one core for each worker."""

    def __init__(self, workers: int | None = None) -> None:
        ray = _ray()
        address = os.environ.get("RAY_ADDRESS")
        quiet = {"log_to_driver": False, "logging_level": "ERROR"}
        if address:
            ray.init(address=address, **quiet)
        else:
            ray.init(num_cpus=workers or default_workers(), include_dashboard=False, **quiet)
        self.workers = workers or int(ray.cluster_resources().get("CPU", 1))

    def outcomes(self, cells: list[Cell], jobs: Iterator[Job], *, limit: float, retries: int) -> Iterator[Outcome | None]:
        """See `Backend`."""
        ray = _ray()
        shared = ray.put(cells)
        actor = ray.remote(num_cpus=1, max_restarts=0)(_Actor)
        pool = Pool(
            cells,
            jobs,
            start=partial(_RayWorker, ray, actor, shared),
            wait=_wait,
            limit=limit,
            retries=retries,
        )
        try:
            yield from pool.outcomes(self.workers)
        finally:
            ray.shutdown()


class _Actor:
    """Lives on the cluster."""

    def __init__(self, cells: list[Cell]) -> None:
        self._cells = cells
        warm_up()

    def answer(self, jobs: list[Job]) -> list[Answer]:
        return [attempt(play, self._cells[job.cell], job) for job in jobs]


class _RayWorker(Worker):
    """Our end of an actor; its calls are answered in order."""

    def __init__(self, ray: Any, actor: Any, cells: Any) -> None:
        super().__init__()
        self.ray = ray
        self._actor = actor.remote(cells)
        self.calls: deque[Any] = deque([self._actor.answer.remote([])])

    def send(self, jobs: list[Job]) -> None:
        self.calls.append(self._actor.answer.remote(jobs))

    def receive(self) -> list[Answer]:
        try:
            answers: list[Answer] = self.ray.get(self.calls[0])
        except self.ray.exceptions.RayError as error:
            raise WorkerDied(f"its Ray worker died: {str(error).splitlines()[0]}") from None
        self.calls.popleft()
        return answers

    def kill(self) -> None:
        self.ray.kill(self._actor)


def _wait(workers: Sequence[Worker], seconds: float) -> Sequence[Worker]:
    by_call = {each.calls[0]: each for each in workers if isinstance(each, _RayWorker)}
    ray = next(iter(by_call.values())).ray
    ready, _ = ray.wait(list(by_call), num_returns=len(by_call), timeout=0)
    if not ready:
        ready, _ = ray.wait(list(by_call), num_returns=1, timeout=seconds)
    return [by_call[call] for call in ready]
