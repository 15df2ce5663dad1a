"""Boards, rule sheets and video games as PettingZoo environments."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from own_games import Nim, Walk
from paidia.connect.pettingzoo import aec_env, parallel_env
from paidia.core.errors import BadInput, IllegalMove

TURNS = ["connect4", "breakthrough@5", "hex@4", "go@4", "reversi@6", "domineering@5", "gdl:connect4", "gdl:checkers"]
ALONE = ["gdl:eight-puzzle", "vgdl:boilers"]
TOGETHER = ["gdl:tron", "gdl:battle", "gdl:chinook", "gdl:tic-tac-toe", "vgdl:vine", "vgdl:petri", "connect4"]


def quietly(test: Any, *args: Any, **settings: Any) -> None:
    """Without what the checkers say about observations that are no pictures."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        test(*args, **settings)


@pytest.mark.parametrize("game", [*TURNS, *ALONE])
def test_the_checkers_of_turn_taking_environments_are_content(game: str) -> None:
    quietly(api_test, aec_env(game), num_cycles=60)
    quietly(seed_test, lambda: aec_env(game), num_cycles=20)


@pytest.mark.parametrize("game", TOGETHER)
def test_the_checkers_of_parallel_environments_are_content(game: str) -> None:
    quietly(parallel_api_test, parallel_env(game), num_cycles=60)
    quietly(parallel_seed_test, lambda: parallel_env(game), num_cycles=20)


def test_a_game_in_python_is_an_environment() -> None:
    quietly(api_test, aec_env(Nim()), num_cycles=30)
    quietly(parallel_api_test, parallel_env(Walk()), num_cycles=30)


def test_masks_are_the_legal_moves_and_rewards_the_goals() -> None:
    env = aec_env("connect4")
    env.reset(seed=3)
    for agent in env.agent_iter():
        seen, reward, over, late, _ = env.last()
        assert not late
        if over:
            role = env.possible_agents.index(agent)
            assert reward == 2 * env.position.values[role] - 1
            assert not seen["action_mask"].any()
            env.step(None)
            continue
        assert reward == 0
        role = env.possible_agents.index(agent)
        assert np.flatnonzero(seen["action_mask"]).tolist() == sorted(env.position.legal(role))
        env.step(env.action_space(agent).sample(seen["action_mask"]))
    assert env.position.terminal and not env.agents


def test_what_is_not_legal_is_refused() -> None:
    env = aec_env("tic-tac-toe")
    env.reset(seed=0)
    env.step(4)
    with pytest.raises(IllegalMove, match=r"tic-tac-toe, o: 4 \(b2\) is not legal here; legal are 0 \(a1\)"):
        env.step(4)
    for wrong in (9, -1, "a1", True, None):
        with pytest.raises(IllegalMove, match="from 0 to 8"):
            env.step(wrong)
    with pytest.raises(BadInput, match="use parallel_env"):
        aec_env("gdl:tron")
    both = parallel_env("gdl:tron")
    both.reset(seed=0)
    with pytest.raises(IllegalMove, match="an action for each of"):
        both.step({"red": 0})
    with pytest.raises(BadInput, match="render_mode"):
        aec_env("connect4", render_mode="human")


def test_a_role_that_waits_has_one_action() -> None:
    env = parallel_env("connect4")
    seen, _ = env.reset(seed=1)
    waiting = seen["yellow"]["action_mask"]
    assert np.flatnonzero(waiting).tolist() == [7] and not seen["red"]["action_mask"][7]
    seen, *_ = env.step({"red": 3, "yellow": 7})
    assert np.flatnonzero(seen["red"]["action_mask"]).tolist() == [7]


@pytest.mark.parametrize("game", ["connect4", "gdl:tic-tac-toe", "vgdl:vine"])
@pytest.mark.parametrize("mode", ["ansi", "svg", "rgb_array"])
def test_pictures(game: str, mode: str) -> None:
    env = aec_env(game, render_mode=mode) if not game.startswith("gdl") else parallel_env(game, render_mode=mode)
    env.reset(seed=0)
    before = env.render()
    for _ in range(3):
        env.step(4) if not game.startswith("gdl") else env.step({agent: env.action_space(agent).sample() for agent in env.agents})
    after = env.render()
    if mode == "rgb_array":
        assert isinstance(before, np.ndarray)
        assert before.dtype == np.uint8 and before.ndim == 3 and before.shape[2] == 3
        assert before.shape != after.shape or (before != after).any()
    else:
        assert isinstance(after, str) and (mode == "ansi" or after.startswith("<svg")) and before != after


def test_a_position_can_be_taken_out_and_put_back() -> None:
    env = aec_env("connect4")
    env.reset(seed=0)
    env.step(3)
    saved = env.position.copy()
    env.step(3)
    env.position = saved
    assert env.position == saved
