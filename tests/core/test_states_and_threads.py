"""A state is plain memory: while one thread plays it, no other may. Calls that play keep the interpreter lock."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from paidia.games import load


@pytest.fixture
def patient() -> Iterator[None]:
    """Nobody is asked to hand the lock on: another thread runs only where it is given up."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000.0)
    yield
    sys.setswitchinterval(before)


CALLS: dict[str, Callable[[Any], object]] = {
    "connect4 random_playouts": lambda state: state.random_playouts(1, 100_000),
    "connect4 copies": lambda state: state.copies(2_000_000),
    "connect4 random_playout": lambda state: [state.clone().random_playout(i) for i in range(20_000)],
}  # fmt: skip


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("call", CALLS)
def test_nobody_else_runs_meanwhile(call: str) -> None:
    state = load(call.split()[0]).initial_state()
    go, ran = threading.Event(), list[int]()
    thread = threading.Thread(target=lambda: (go.wait(), ran.append(1)))
    thread.start()
    go.set()
    CALLS[call](state)
    assert ran == []
    thread.join()
    assert ran == [1]
