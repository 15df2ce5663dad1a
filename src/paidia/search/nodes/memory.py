"""How much memory a search may have if nobody says."""

from __future__ import annotations

import contextlib
import os
from functools import cache
from pathlib import Path

__all__ = ["share_of_machine"]

LEAST = 256 * 2**20


@cache
def share_of_machine() -> int:
    """Bytes for one search: a quarter of the memory, divided by the processors, since each may run a match of two players."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 4 * 2**30
    with contextlib.suppress(OSError, ValueError):  # a container may have less than the machine
        total = min(total, int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return max(LEAST, total // (4 * (os.cpu_count() or 1)))
