"""Faults from outside: signals at every moment, clocks that jump."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

from paidia.core.budget import Budget
from paidia.experiment.plan import Plan
from paidia.experiment.run.local import LocalBackend
from paidia.experiment.run.processes import processes
from paidia.experiment.run.runner import run_plan
from paidia.experiment.store import Store
from paidia.games import load
from paidia.match.referee import play_match
from paidia.players.registry import make_player

Played = Callable[[Path], list[tuple[object, ...]]]

PLAN = Plan(games=["tic-tac-toe"], agents=["random"], opponents=["uct"], sims=5000, matches=60, seed=2)


@pytest.fixture
def storm() -> Iterator[list[int]]:
    """A signal every millisecond: every system call that can be interrupted is."""
    if not hasattr(signal, "setitimer"):
        pytest.skip("no such timers here")
    count = [0]

    def note(number: int, frame: FrameType | None) -> None:
        count[0] += 1

    before = signal.signal(signal.SIGALRM, note)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    yield count
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    signal.signal(signal.SIGALRM, before)


def run(path: Path) -> None:
    with Store(path, write=True) as store:
        assert run_plan(PLAN, store, backend=LocalBackend(1)).done == 60


def test_interrupted_calls_change_no_result(tmp_path: Path, played: Played, storm: list[int]) -> None:
    run(tmp_path / "storm.sqlite")
    seen = storm[0]
    assert seen > 100
    record = play_match(
        load("tic-tac-toe"), [make_player("uct", settings={"isolated": True}), make_player("random")],
        seed=3, budget=Budget(simulations=20),
    ).record  # fmt: skip
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    run(tmp_path / "calm.sqlite")
    assert played(tmp_path / "storm.sqlite") == played(tmp_path / "calm.sqlite")
    calm = play_match(
        load("tic-tac-toe"), [make_player("uct"), make_player("random")], seed=3, budget=Budget(simulations=20)
    ).record  # fmt: skip
    assert record == calm


def test_a_wall_clock_that_jumps_disturbs_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = time.time
    jumps = iter(range(10**9))
    monkeypatch.setattr(time, "time", lambda: real() + (-1) ** next(jumps) * 1e6)
    run(tmp_path / "jumps.sqlite")
    result = play_match(load("connect4"), [make_player("uct"), make_player("random")], budget=Budget(seconds=0.02), max_steps=6)
    assert result.record.overruns == [0, 0] or max(result.slowest) < 5.0
    assert all(0.0 <= seconds < 60.0 for seconds in result.seconds)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nobody is forked here")
def test_whoever_was_forked_since_starts_processes_too() -> None:
    """The process from which workers are forked is no child of theirs."""

    def start() -> int | None:
        process = processes().Process(target=time.monotonic)
        process.start()
        process.join()
        return process.exitcode

    assert start() == 0
    child = os.fork()
    if child == 0:
        code: int | None = 1
        try:
            code = start()
        finally:
            os._exit(1 if code else 0)
    assert os.waitpid(child, 0)[1] == 0
