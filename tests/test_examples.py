"""The examples run as they say, and quickly."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from paidia.experiment.expand import expand
from paidia.experiment.plan import load_plan
from paidia.experiment.run.local import LocalBackend
from paidia.experiment.run.runner import run_plan
from paidia.experiment.store import Store
from paidia.games import load
from paidia.players.registry import load_agent, make_player
from paidia.report.page import write_report
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


def test_the_competition_has_its_format_and_ends_in_a_ranking(tmp_path: Path) -> None:
    """Ten games, five levels, ten runs; a small round of it gives the table of places."""
    plan = load_plan(EXAMPLES / "competition.toml")
    assert len(plan.games) == 10 and plan.levels == ["0", "1", "2", "3", "4"] and plan.matches == 10
    assert (plan.time, plan.start_time, plan.disqualify) == (0.04, 1.0, True)
    assert len(expand(plan, folder=EXAMPLES)) == 50 * len(plan.agents)
    small = msgspec.structs.replace(
        plan, games=plan.games[:2], levels=["0"], agents=["one-step", "random"], matches=1, time=[], sims=5,
        disqualify=False, max_steps=20,
    )  # fmt: skip
    with Store(tmp_path / "round.sqlite", write=True) as store:
        run_plan(small, store, backend=LocalBackend(1))
        names = [table.name for table in write_report(store, tmp_path / "out")]
    assert {"ranking", "ranking-games"} <= set(names)
