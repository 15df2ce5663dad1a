"""States of all worlds are values: copies, pickles and texts of a state are equal to it, and go on as it does."""

from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paidia
from own_games import Nim, Walk
from paidia.core.errors import BadInput
from paidia.core.model import Situation
from paidia.games.gdl.interpreter.interpreter import load as interpret
from paidia.games.gdl.language.rules import parse_sheet
from paidia.games.gdl.library import LIBRARY

BOARDS = [
    "tic-tac-toe", "gomoku@9", "connect5", "connect4", "connect4@9x9", "breakthrough@6x5", "misere-breakthrough",
    "knightthrough@9x9", "hex@5", "go@5", "go@9", "atarigo@6", "atarigo-suicide@4", "nogo@6x7", "misere-nogo@9", "domineering@6",
    "misere-domineering@9x8", "reversi@6", "reversi@10",
]  # fmt: skip
SHEETS = ["gdl:tic-tac-toe", "gdl:breakthrough", "gdl:tron", "gdl:eight-puzzle", "gdl:quad", "gdl:skirmish"]
VIDEO = ["vgdl:vine", "vgdl:museum", "vgdl:skater", "vgdl:ashfall", "vgdl:ferry", "vgdl:henhouse", "vgdl:rainmaker", "vgdl:salvo"]


def start(spec: str, seed: int) -> Situation:
    if spec == "nim":
        return Nim().initial_state()
    if spec == "walk":
        return Walk().initial_state()
    if spec == "interpreted":
        return interpret(parse_sheet(LIBRARY.text("tic-tac-toe")), "interpreted").initial_state()
    game = paidia.load(spec)
    return game.initial_state(seed) if spec.startswith("vgdl:") else game.initial_state()


def wander(state: Situation, rng: random.Random, steps: int) -> None:
    """Random legal joint moves, or actions."""
    for _ in range(steps):
        if state.terminal:
            return
        joint = [rng.choice(moves) if (moves := state.legal(role)) else None for role in range(state.game.n_roles)]
        state.play(joint)


def facts(state: Situation) -> tuple:
    """What a user can ask."""
    over = state.terminal
    legal = [state.legal(role) for role in range(state.game.n_roles)]
    return (
        over,
        state.mover,
        legal,
        state.values,
        state.key,
        [state.codes(role) for role in range(state.game.n_roles)],
        state.draw(),
    )


def same_future(one: Situation, other: Situation, rng: random.Random) -> None:
    """Two states go the same way, move by move."""
    one, other = one.copy(), other.copy()
    for _ in range(12):
        assert facts(one) == facts(other)
        if one.terminal:
            return
        joint = [rng.choice(moves) if (moves := one.legal(role)) else None for role in range(one.game.n_roles)]
        one.play(joint)
        other.play(joint)
    assert facts(one) == facts(other)
    assert one == other


@pytest.mark.parametrize("spec", [*BOARDS, *SHEETS, *VIDEO, "nim", "walk", "interpreted"])
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 120))
def test_a_text_gives_the_state_again(spec: str, seed: int, steps: int) -> None:
    rng = random.Random(seed)
    state = start(spec, seed)
    wander(state, rng, steps)
    text = state.to_text()
    assert "\n" not in text
    again = state.game.from_text(text)
    assert again == state and hash(again) == hash(state)
    assert again.to_text() == text
    assert again is not state
    same_future(state, again, rng)


@pytest.mark.parametrize("spec", ["connect4", "go@5", "gdl:tron", "vgdl:vine", "nim", "walk"])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 40))
def test_copies_and_pickles_are_equal_and_independent(spec: str, seed: int, steps: int) -> None:
    rng = random.Random(seed)
    state = start(spec, seed)
    wander(state, rng, steps)
    for again in (state.copy(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert again == state and hash(again) == hash(state) and again.game.like(state.game)
        assert len({again, state}) == 1
        before = state.to_text()
        same_future(state, again, random.Random(seed))
        wander(again, rng, 3)
        assert state.to_text() == before
        if not state.terminal:
            assert again != state


@pytest.mark.parametrize("spec", ["connect4", "gdl:tic-tac-toe", "vgdl:vine"])
def test_a_pickled_game_is_the_same_object(spec: str) -> None:
    game = paidia.load(spec)
    assert pickle.loads(pickle.dumps(game)) is game
    assert copy.deepcopy(game) is game


def test_a_game_that_no_id_gets_again_is_not_pickled() -> None:
    game = interpret(parse_sheet(LIBRARY.text("tic-tac-toe")), "interpreted")
    with pytest.raises(BadInput, match="pickled by its id"):
        pickle.dumps(game)


def test_states_of_different_games_differ() -> None:
    assert paidia.load("connect4").initial_state() != paidia.load("connect4@7").initial_state()
    assert paidia.load("connect4").initial_state() != 3
    assert paidia.load("vgdl:vine", level=0).initial_state() != paidia.load("vgdl:vine", level=1).initial_state()


def test_repr_is_readable() -> None:
    state = paidia.load("connect4").initial_state()
    state.play(3)
    assert repr(state) == "<connect4: 7/7/7/7/7/3x3 yellow ->"
    assert repr(paidia.load("gdl:tic-tac-toe").initial_state()) == "<gdl:tic-tac-toe: (turn x)>"
    assert len(repr(paidia.load("vgdl:vine").initial_state())) < 300


@pytest.mark.parametrize(
    ("spec", "text", "told"),
    [
        ("connect4", "7/7 red -", "has 6 rows"),
        ("connect4", "7/7/7/7/7/8 red -", "a row has 7 cells"),
        ("connect4", "7/7/7/7/7/3z3 red -", "'z' in row 1 is no piece"),
        ("connect4", "7/7/7/7/3x3/7 red -", "hangs in the air"),
        ("connect4", "7/7/7/7/7/7 rad -", "did you mean red"),
        ("connect4", "7/7/7/7/7/7 red red", "not who has four"),
        ("connect4", "7/7/7/7/7/7 red", "is 3 words"),
        ("tic-tac-toe", "xxx/3/3 o -", "not who has 3"),
        ("hex@3", "3/3/3 red blue", "not who has joined"),
        ("breakthrough@6x5", "5/5/5/5/5/5 white -", "cannot move"),
        ("breakthrough@6x5", "ooooo/ooooo/ooooo/5/5/xxxxx white -", "at most 10"),
        ("domineering@4", "|3/4/4/4 vertical", "two cells"),
        ("go@5", "5/5/5/5/5 black 0 0 - zz", "16 digits"),
        ("go@5", "5/5/5/5/5 black 9 0 - 0", "passes"),
        ("go@5", "5/5/5/5/5 black 0 99 - 0", "number of moves"),
        ("nogo@3", "xox/oxo/xox black -", "has won here"),
        ("gdl:tic-tac-toe", "(cell 1 1 q)", "never holds"),
        ("gdl:tic-tac-toe", "(cell 1 1", "never closed"),
        ("vgdl:vine", "{}", "missing"),
        ("vgdl:vine", "[", "JSON"),
        ("nim", "{'left': 3}", "attributes"),
        ("nim", "__import__('os')", "not a position"),
    ],
)  # fmt: skip
def test_a_wrong_text_is_refused_with_the_reason(spec: str, text: str, told: str) -> None:
    game = start(spec, 0).game
    with pytest.raises(BadInput, match=told):
        game.from_text(text)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_no_text_harms_a_video_game(data: st.DataObject) -> None:
    """One number of a text is replaced: it is refused, or it is a situation that can be played."""
    import json

    state = start("vgdl:salvo", data.draw(st.integers(0, 50)))
    wander(state, random.Random(1), data.draw(st.integers(0, 60)))
    entries = json.loads(state.to_text())
    name = data.draw(st.sampled_from(sorted(entries)))
    value = st.one_of(st.integers(-5, 5), st.integers(-(2**70), 2**70), st.none(), st.floats(), st.text(max_size=2), st.just([]))
    part = entries[name]
    if isinstance(part, list) and part:
        place = data.draw(st.integers(0, len(part) - 1))
        if isinstance(part[place], list):
            part[place][data.draw(st.integers(0, len(part[place]) - 1))] = data.draw(value)
        else:
            part[place] = data.draw(value)
    else:
        entries[name] = data.draw(value)
    try:
        again = state.game.from_text(json.dumps(entries))
    except BadInput:
        return
    wander(again, random.Random(2), 30)
    again.to_text()


@pytest.mark.parametrize("spec", [*BOARDS, "gdl:tic-tac-toe", "gdl:tron", "vgdl:vine", "interpreted", "nim"])
def test_observations_tell_positions_apart(spec: str) -> None:
    seen: dict[bytes, str] = {}
    for seed in range(8):
        state = start(spec, seed)
        wander(state, random.Random(seed), 2 * seed)
        out = np.full(state.game.observation_shape, 255, np.uint8)
        state.observe(out)
        if not spec.startswith("vgdl:") and spec != "nim":
            assert out.max() <= 1
            drawn = state.draw().rpartition("\n")[0] if not spec.startswith("gdl") else state.draw()
            assert seen.setdefault(out.tobytes(), drawn) == drawn
        wrong = np.zeros((3, 3), np.uint8)
        with pytest.raises((ValueError, BadInput)):
            state.observe(wrong)
