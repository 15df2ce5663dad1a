"""The stopwatch counts work and sleep, and nothing that other programs do."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from paidia.testing import stopwatch
from paidia.testing.stopwatch import Stopwatch


def test_sleep_and_work_count() -> None:
    watch = Stopwatch()
    time.sleep(0.02)
    slept = watch.seconds
    assert slept >= 0.019
    began = time.thread_time()
    while time.thread_time() - began < 0.02:
        pass
    assert watch.seconds - slept >= 0.019


def test_waiting_for_a_core_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = tmp_path / "schedstat"
    told.write_text("5 1000000000 7\n")
    monkeypatch.setattr(stopwatch, "_STATISTICS", told)
    watch = Stopwatch()
    time.sleep(0.05)
    told.write_text("9 1030000000 8\n")  # 30 ms of it the thread was ready, and others ran
    assert 0.019 < watch.seconds < time.perf_counter() - watch._began - 0.029
    told.write_text("nothing to read")
    Stopwatch()
    told.unlink()
    assert Stopwatch().seconds >= 0
