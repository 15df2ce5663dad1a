"""The examples run as they say, and quickly."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from paidia.games import load
from paidia.players.registry import load_agent, make_player
from paidia.testing import check_player

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("own_game", ["chomp keeps the contract of a game", "1. grave eats", "wins"]),
        ("own_playout", ["keeps the contract of a strategy", "of 40 matches"]),
        ("own_search", ["keeps the contract of a search", "ticks of museum"]),
        ("own_video_game", ["keeps the contract of a video game", "iw-1: wins", "ticks"]),
    ],
)
def test_an_example_runs(name: str, said: list[str]) -> None:
    began = time.perf_counter()
    file = str(EXAMPLES / f"{name}.py")
    done = subprocess.run([sys.executable, "-W", "error", file], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(text in done.stdout for text in said)
    assert time.perf_counter() - began < 30


def test_the_example_of_an_agent_is_one() -> None:
    path = str(EXAMPLES / "own_agent.toml")
    agent, base = load_agent(path), load_agent("grave")
    assert agent.search_parameters() == base.search_parameters().replace(C=0.4, ref=20.0)
    assert (agent.search.keep_steps, agent.search.options["playout"]) == (4, {"decay": 0.5})

    check_player(lambda: make_player(path), games=[load("connect4")], seconds=0)
