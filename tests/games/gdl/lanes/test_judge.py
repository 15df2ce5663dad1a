"""Judges against the exact value of random play, and against each other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

from oracles.gdl_sheets import sheet_of
from paidia.core.errors import BadInput
from paidia.core.game import State
from paidia.games import load
from paidia.games.gdl.lanes import judge as module
from paidia.games.gdl.lanes.judge import Judge, LaneJudge, StateJudge, judge_of
from paidia.games.gdl.language.rules import parse_sheet
from paidia.games.gdl.load import load_game
from paidia.games.gdl.net.kernel import NetGame

ENDLESS = """
(role a) (init (at 1)) (base (at 1)) (base (at 2)) (input a stay) (input a go)
(legal a stay) (legal a go) (<= (next (at 2)) (true (at 1)) (does a go)) (<= (next (at 1)) (true (at 1)) (does a stay))
(<= (next (at 1)) (true (at 2))) (<= terminal (true (at 2)) (true (at 1)))
(<= (goal a 100) (true (at 2))) (<= (goal a 0) (true (at 1)))
"""


def sheet(name: str) -> NetGame:
    game = load_game(sheet_of(name), name)
    assert isinstance(game, NetGame)
    return game


def expected(state: State) -> np.ndarray:
    """The mean goals of uniformly random play, over all lines of play."""
    if state.terminal:
        return np.array(state.goals)
    lists = [state.legal(role) or [None] for role in range(state.game.n_roles)]
    values = []
    for joint in itertools.product(*lists):
        child = state.clone()
        child.play(joint)
        values.append(expected(child))
    return np.mean(values, axis=0)


def after(game: NetGame, steps: int, seed: int) -> State:
    """A position that is not over, some random moves from the start."""
    for attempt in itertools.count(seed):
        state, chance = game.initial_state(), np.random.default_rng(attempt)
        for _ in range(steps):
            if state.terminal:
                break
            lists = [state.legal(role) or [None] for role in range(game.n_roles)]
            state.play([options[chance.integers(len(options))] for options in lists])
        if not state.terminal:
            return state
    raise AssertionError


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("kind", [judge_of, StateJudge])
def test_the_mean_is_that_of_all_lines_of_play(kind: Callable[[NetGame], Judge], seed: int) -> None:
    game = sheet("tic-tac-toe")
    state = after(game, 3, seed)
    key = state.key
    found = kind(game).goals(state, 6000, 7)
    assert found.shape == (6000, 2) and state.key == key
    for role, exact in enumerate(expected(state)):
        error = found[:, role].std() / math.sqrt(len(found))
        assert abs(found[:, role].mean() - exact) < 5 * error


def test_roles_that_move_at_once() -> None:
    game = sheet("push")
    state = after(game, 2, 3)
    ours, theirs = judge_of(game).goals(state, 6000, 1), StateJudge(game).goals(state, 6000, 1)
    for role in range(game.n_roles):
        error = math.hypot(ours[:, role].std(), theirs[:, role].std()) / math.sqrt(6000)
        assert abs(ours[:, role].mean() - theirs[:, role].mean()) <= 5 * error


def test_numbers_change_nothing() -> None:
    game = sheet("tic-tac-toe")
    state = after(game, 2, 5)
    wanted = judge_of(game).goals(state, 3000, 9)
    assert (judge_of(game).goals(state, 100, 9) == wanted[:100]).all()
    assert (judge_of(game).goals(state, 3000, 9) == wanted).all()
    assert not (judge_of(game).goals(state, 3000, 10) == wanted).all()


def test_a_game_that_does_not_end_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMIT", 3)
    game = sheet("tic-tac-toe")
    with pytest.raises(BadInput, match="tic-tac-toe: a random game lasts longer than 3 joint moves"):
        StateJudge(game).goals(game.initial_state(), 64, 1)
    endless = load_game(parse_sheet(ENDLESS), "endless")
    with pytest.raises(BadInput, match="endless: a random game lasts longer than 100,000 joint moves"):
        judge_of(endless).goals(endless.initial_state(), 1, 1)


def test_lanes_where_there_are_any() -> None:
    assert isinstance(judge_of(sheet("push")), LaneJudge)
    board = load("tic-tac-toe")
    judge = judge_of(board)
    assert isinstance(judge, StateJudge)
    goals = judge.goals(board.initial_state(), 500, 1)
    assert (goals == judge.goals(board.initial_state(), 500, 1)).all()
    assert set(np.unique(goals)) == {0.0, 0.5, 1.0} and (goals.sum(axis=1) == 1).all()
