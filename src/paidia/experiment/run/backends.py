"""Backends by name."""

from __future__ import annotations

from paidia.core.errors import UnknownName
from paidia.experiment.run.local import LocalBackend
from paidia.experiment.run.outcome import Backend

__all__ = ["make_backend"]


def make_backend(name: str, workers: int | None) -> tuple[Backend, int]:
    """The backend, and how many matches it plays at a time."""
    if name == "local":
        local = LocalBackend(workers)
        return local, local.workers
    if name == "ray":
        from paidia.experiment.run.ray_cluster import RayBackend  # Ray takes a second to import

        cluster = RayBackend(workers)
        return cluster, cluster.workers
    raise UnknownName("backend", name, ["local", "ray"])
