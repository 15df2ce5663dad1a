"""`Stopwatch`: seconds that pass for a program, whatever else the machine does."""

from __future__ import annotations

import time
from pathlib import Path

__all__ = ["Stopwatch"]

#: Of the calling thread: nanoseconds on a core, nanoseconds ready to run but waiting for one, turns (Linux).
_STATISTICS = Path("/proc/thread-self/schedstat")


class Stopwatch:
    """Runs from the moment it is made, for the thread that makes it.

    Time in which the thread could have gone on, but other programs had the core, does not count: what is measured is the program,
    not how busy the machine is. Sleeping and waiting do count. Where the system does not tell (only Linux does), all time counts.
    """

    def __init__(self) -> None:
        self._waited = _waited()
        self._began = time.perf_counter()

    @property
    def seconds(self) -> float:
        """So far."""
        passed = time.perf_counter() - self._began
        return max(0.0, passed - (_waited() - self._waited))


def _waited() -> float:
    """Seconds that this thread has waited for a core."""
    try:
        return int(_STATISTICS.read_text().split()[1]) * 1e-9
    except (OSError, IndexError, ValueError):
        return 0.0
