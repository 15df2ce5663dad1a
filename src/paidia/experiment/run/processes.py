"""Processes that play matches, and how they begin and end.

On Linux they are forked from one process that has imported what matches need (run/ready.py): each is there in milliseconds, where
a fresh interpreter takes a second. Elsewhere a fork is not safe, and every process imports for itself.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.context import ForkServerContext, SpawnContext

__all__ = ["begin_worker", "processes", "worker_pool"]


def processes() -> ForkServerContext | SpawnContext:
    """Makes processes and the pipes to them."""
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
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
