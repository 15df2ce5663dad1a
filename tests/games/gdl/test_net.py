"""The net and the kernel against the rules themselves, solved anew by clingo for every state."""

from __future__ import annotations

import random
from typing import Any

import pytest

from oracles.gdl_sheets import SHEETS, Oracle, sheet_of
from paidia.games.gdl.language.rules import RuleSheet, read_sheet
from paidia.games.gdl.load import load_file, load_game
from paidia.games.gdl.net.kernel import legal_names

REFERENCE_GAMES = [
    "ticTacToe",
    "connectFour",
    "blocker",
    "eightPuzzle",
    "tictactoe_3player",
    "biddingTicTacToe",
    "asteroids",
    "connect4",
    "pentago",
    "roshambo2",
    "tron_10x10",
    "ghostMaze2p",
    "futoshiki4",
    "quad_7x7",
    "chineseCheckers3",
]


def compare(state: Any, oracle: Oracle, sheet: RuleSheet) -> None:
    fluents = state.fluents()
    assert state.terminal or not oracle.holding("terminal", fluents)
    legal = oracle.holding("legal", fluents)
    for role, name in enumerate(state.game.roles):
        assert sorted(legal_names(state, role)) == sorted(move for who, move in legal if who == name)
    stuck = any(all(who != name for who, _ in legal) for name in state.game.roles)
    assert state.terminal == (bool(oracle.holding("terminal", fluents)) or stuck)
    goals = oracle.holding("goal", fluents)
    for role, name in enumerate(state.game.roles):
        values = [int(value) for who, value in goals if who == name]
        assert state.goals[role] == pytest.approx(sum(values) / len(values) / 100 if values else 0)


def walk(game: Any, sheet: RuleSheet, *, walks: int, steps: int, seed: int) -> None:
    oracle = Oracle(sheet)
    chance = random.Random(seed)
    assert sorted(game.initial_state().fluents()) == sorted(oracle.initial())
    for _ in range(walks):
        state = game.initial_state()
        for _ in range(steps):
            compare(state, oracle, sheet)
            if state.terminal:
                break
            names = [chance.choice(legal_names(state, role)) for role in range(game.n_roles)]
            following = [fluent for [fluent] in oracle.holding("next", state.fluents(), names)]
            state.play([game.move_id(role, name) if state.mover in (None, role) else None for role, name in enumerate(names)])
            assert sorted(state.fluents()) == sorted(following)


@pytest.mark.parametrize("name", SHEETS)
def test_small_sheets(name: str) -> None:
    sheet = sheet_of(name)
    walk(load_game(sheet, name), sheet, walks=8, steps=12, seed=1)


@pytest.mark.parametrize("name", REFERENCE_GAMES)
def test_reference_sheets(name: str, reference: Any) -> None:
    [path] = (reference / "gdl" / "base" / name).glob("*.kif")
    walk(load_file(path), read_sheet(path), walks=1, steps=6, seed=2)
