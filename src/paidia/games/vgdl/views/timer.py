"""The clock that an agent is given: how much of its time for a tick is left."""

from __future__ import annotations

import time

from paidia.core.errors import BadInput

__all__ = ["Timer"]


class Timer:
    """Counts down from a number of milliseconds, in wall-clock time or in the thread's own processor time."""

    def __init__(self, milliseconds: float, *, cpu: bool = False) -> None:
        if not 0 <= milliseconds < float("inf"):
            raise BadInput(f"a timer runs for 0 or more milliseconds, not {milliseconds}")
        self._clock = time.thread_time if cpu else time.perf_counter
        self._start = self._clock()
        self._limit = milliseconds

    def elapsed_millis(self) -> float:
        """Time since the start."""
        return (self._clock() - self._start) * 1000

    def remaining_time_millis(self) -> float:
        """Time that is left; negative once it is over."""
        return self._limit - self.elapsed_millis()

    def exceeded_max_time(self) -> bool:
        return self.remaining_time_millis() < 0
