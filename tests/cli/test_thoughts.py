"""What an agent thought, as a person reads it."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from paidia.cli import arcade, seats
from paidia.cli.main import main
from paidia.cli.thoughts import WIDTH, beside, panel, read_thoughts, thoughts_line
from paidia.core.arcade import ACTIONS, ArcadeGame
from paidia.core.budget import Budget
from paidia.core.model import Situation
from paidia.core.player import Decision, Player
from paidia.games import load_as
from paidia.players.registry import make_player

UP = 1

NOTES: dict[str, Any] = {
    "moves": [
        {"move": "UP", "visits": 12, "mean": 0.61, "pruned": False},
        {"move": "LEFT", "visits": 4, "mean": 0.2},
        {"move": "USE", "visits": 0.0, "mean": None, "pruned": True},
    ],
    "weights": {"key": 1.2, "[red]door": -3.0, **{f"wall{i}": 0.1 for i in range(20)}},
    "parameters": {"C": "0.6", "D": 10, "nbp": True},
    "deterministic": True,
    "depth": 9,
    "steps": 1234,
}


def shown(notes: Any, *, chosen: str = "UP", width: int = 100, height: int = 40, simulations: int = 16) -> str:
    console = Console(record=True, width=width, file=io.StringIO(), color_system=None)
    console.print(panel(read_thoughts(Decision(UP, simulations, notes=notes)), chosen, height=height))
    return console.export_text()


def test_every_part_is_there() -> None:
    text = shown(NOTES)
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "> UP 12 █████████ 0.61" in lines
    assert "LEFT 4 ███ 0.20" in lines
    assert "USE 0 pruned" in lines
    assert lines[lines.index("weights (14 more)") + 1 :][:2] == ["[red]door -3", "key +1.2"]  # the largest first, as it is
    assert "C 0.6" in lines and "D 10" in lines
    assert lines[-1] == "16 simulations, 1,234 steps, depth 9, deterministic"
    assert max(map(len, text.splitlines())) <= WIDTH


def test_every_part_may_be_missing_or_nonsense() -> None:
    for key in NOTES:
        without = {name: part for name, part in NOTES.items() if name != key}
        assert shown(without) != shown(NOTES)
        assert shown({**NOTES, key: object()}) == shown(without)
    assert shown(None).strip() == "16 simulations"
    assert shown({"moves": [{"move": "UP", "visits": math.inf, "mean": math.nan}]})


NASTY: list[Any] = [
    None, True, -1, 10**400, math.nan, -math.inf, "", "[bold", "a\nb\tc", "x" * 5000, [], {}, [None], [[]], {"a": math.nan},
    {"a": math.inf, "b\n": -1e300}, {"": "two\nlines"}, {1: 2}, [{"move": "[/]\n", "visits": math.nan, "mean": -math.inf}],
    [{"move": "UP", "visits": -5.0}, {"move": "UP", "visits": math.inf, "pruned": True}], [{"visits": 1}], [{"move": 3}],
    [{"move": f"A{i}", "visits": 0.0} for i in range(500)], {f"p{i}": float(i) for i in range(500)},
]  # fmt: skip


@given(st.dictionaries(st.sampled_from([*NOTES, "simulations", "other"]), st.sampled_from(NASTY)))
def test_nothing_in_the_notes_breaks_the_screen(notes: Any) -> None:
    shown(notes)
    assert "\n" not in thoughts_line(read_thoughts(Decision(UP, notes=notes)))


def test_a_low_terminal_shows_the_moves_first() -> None:
    low = shown(NOTES, height=10)
    assert "UP" in low and "weights" not in low and "steps" in low
    assert len(low.splitlines()) <= 10


def test_beside_or_below() -> None:
    game = Text("#" * 30 + "\n" + "#" * 30 + "\ntick 1\n")
    thoughts = panel(read_thoughts(Decision(UP, notes=NOTES)), "UP")
    for width, first in ((30 + 3 + WIDTH, True), (30 + 2 + WIDTH, False)):
        console = Console(record=True, width=width, file=io.StringIO(), color_system=None)
        console.print(beside(game, thoughts, console))
        lines = console.export_text().splitlines()
        assert ("move" in lines[0]) == first
        assert lines[0].startswith("#" * 30) and lines[1].startswith("#" * 30)


def test_one_line() -> None:
    line = thoughts_line(read_thoughts(Decision(UP, 16, notes=NOTES)))
    assert line.startswith("UP 12 (0.61), LEFT 4 (0.20), USE pruned; [red]door -3 key +1.2 wall0 +0.1; C=0.6 D=10")


class Thinker(Player):
    name = "thinker"

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        return Decision(0, 16, notes=NOTES)


@pytest.mark.parametrize("terminal", [True, False])
def test_watching(terminal: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    console = Console(file=io.StringIO(), width=120, height=50, force_terminal=terminal, color_system=None)
    monkeypatch.setattr(arcade, "console", console)
    monkeypatch.setattr(arcade, "RATE", 1e6)
    monkeypatch.setattr(seats, "make_player", lambda *_, **__: Thinker())
    main(["play", "vgdl:ashfall", "--agents", "thinker", "--sims", "5", "--watch", "--record", str(tmp_path / "r.json")])
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert text.count("1,234 steps") > 10  # every tick
    assert ("wall0" in text) and ("tick 1 " in text)
    assert terminal or "\x1b" not in text
    assert "1234" not in (tmp_path / "r.json").read_text()


@pytest.mark.parametrize(
    ("agent", "parameters"),
    [
        ("maastcts2", {"C", "W", "epsilon", "n", "nmin", "D"}),
        ("sa-mcts-nmc", {"K", "D"}),
        ("uct", {"C"}),
        ("ntbea-2", None),
        ("iw-1", set()),
    ],
)
def test_the_thoughts_of_agents(agent: str, parameters: set[str] | None) -> None:
    game = load_as(ArcadeGame, "vgdl:museum")
    player, state = make_player(agent), game.initial_state(1)
    player.begin(game, 0, state=state, seed=1, budget=None)
    decision = player.act(state, step=0, budget=Budget(simulations=40))
    assert isinstance(decision.notes, dict)
    thoughts = read_thoughts(decision)
    assert sorted(row.move for row in thoughts.moves) == sorted(state.actions)
    assert thoughts.simulations == 40 and thoughts.steps and thoughts.steps >= 40
    if parameters is None:  # those that it sets, and those that it tunes
        controlled = player.trajectory()
        assert controlled is not None
        parameters = {*player.definition.parameters, *(row["name"] for row in controlled["parameters"])}
    assert set(thoughts.parameters) == parameters
    assert ACTIONS[decision.move or 0] in thoughts_line(thoughts)


def test_disqualify_needs_a_clock(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in (
        (["vgdl:petri", "--agents", "random", "--sims", "5"], "needs a time per tick"),
        (["connect4", "--agents", "random,random"], "is for video games"),
    ):
        with pytest.raises(SystemExit):
            main(["play", *arguments, "--disqualify"])
        assert message in " ".join(capsys.readouterr().err.split())
    main(["play", "vgdl:petri", "--agents", "one-step", "--disqualify", "--time", "0.01", "--json"])
    assert '"ending"' in capsys.readouterr().out
