"""Processes that play matches, and how they begin and end.

On Linux they are forked from one process that has imported what matches need (run/ready.py): each is there in milliseconds, where
a fresh interpreter takes a second. Elsewhere a fork is not safe, and every process imports for itself. None of them runs the
user's script again, as processes of `multiprocessing` do: nothing in it is needed, and one that does not ask for
`__name__ == "__main__"` would start the run once more.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.context import ForkServerContext, ForkServerProcess, SpawnContext, SpawnProcess
from typing import Any

__all__ = ["begin_worker", "processes", "worker_pool"]


@contextmanager
def _without_script() -> Iterator[None]:
    """While a process is made, the script that runs has no name by which it could be found."""
    script = vars(sys.modules["__main__"])
    kept: dict[str, Any] = {name: script[name] for name in ("__file__", "__spec__") if name in script}
    script.pop("__file__", None)
    script["__spec__"] = None
    try:
        yield
    finally:
        del script["__spec__"]
        script.update(kept)


class _Forked(ForkServerProcess):
    @staticmethod
    def _Popen(process_obj: Any) -> Any:
        with _without_script():
            try:
                return ForkServerProcess._Popen(process_obj)
            except ChildProcessError:  # the process to fork from is no child of ours: we were forked since, or somebody buried it
                return SpawnProcess._Popen(process_obj)


class _Spawned(SpawnProcess):
    @staticmethod
    def _Popen(process_obj: Any) -> Any:
        with _without_script():
            return SpawnProcess._Popen(process_obj)


class _Forks(ForkServerContext):
    Process = _Forked


class _Spawns(SpawnContext):
    Process = _Spawned


def processes() -> ForkServerContext | SpawnContext:
    """Makes processes and the pipes to them."""
    if sys.platform != "linux":
        return _Spawns()
    context = _Forks()
    context.set_forkserver_preload(["paidia.experiment.run.ready"])
    return context


def worker_pool(workers: int) -> ProcessPoolExecutor:
    """Some of them that take calls."""
    return ProcessPoolExecutor(workers, mp_context=processes(), initializer=begin_worker, initargs=(dict(os.environ),))


def begin_worker(environment: Mapping[str, str]) -> None:
    """First of all in such a process: it has the environment of its run as that is now, leaves Ctrl-C to the run, which decides
    when it ends, and does not outlive a run that was killed."""
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
