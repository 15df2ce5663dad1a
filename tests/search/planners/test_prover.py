"""Proofs against plain minimax over whole games."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paidia
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.game import Game, State
from paidia.games import load
from paidia.search.planners.proofs.prover import Prover, ProverSettings

SMALL = ["tic-tac-toe", "hex@3x3", "breakthrough@4x3", "connect4@4x4", "domineering@3x4", "nogo@3x3", "gdl:tic-tac-toe"]


@cache
def _game(name: str) -> Game:
    return load(name)


def _minimax(state: State, known: dict[int, float]) -> float:
    """What the first role gets if both play as well as they can."""
    if state.terminal:
        return float(state.goals[0])
    key = state.key
    if key not in known:
        values = []
        for move in state.legal(state.mover):
            after = state.copy()
            after.play(move)
            values.append(_minimax(after, known))
        known[key] = max(values) if state.mover == 0 else min(values)
    return known[key]


def _after(state: State, move: int) -> State:
    there = state.copy()
    there.play(move)
    return there


KNOWN: dict[str, dict[int, float]] = {}


def _value(name: str, state: State, role: int) -> float:
    first = _minimax(state, KNOWN.setdefault(name, {}))
    return first if role == 0 else 1.0 - first


def _somewhere(name: str, seed: int) -> State:
    """A position some way into a game."""
    draw = random.Random(seed)
    state = _game(name).initial_state()
    for _ in range(draw.randrange(6, 10)):
        after = state.copy()
        after.play(draw.choice(state.legal(state.mover)))
        if after.terminal:
            break
        state = after
    return state


@settings(max_examples=40, deadline=None)
@given(name=st.sampled_from(SMALL), seed=st.integers(0, 1000))
def test_what_is_proven_is_what_minimax_finds_and_the_move_holds_it(name: str, seed: int) -> None:
    state = _somewhere(name, seed)
    role = state.mover
    search = Prover(_game(name))
    search.begin_game(seed)
    result = search.search(state, Budget(simulations=10**6), role=role)
    assert search.proven == result.notes["proven"] == _value(name, state, role)
    after = state.copy()
    after.play(result.move)
    assert _value(name, after, role) == search.proven


@settings(max_examples=40, deadline=None)
@given(name=st.sampled_from(SMALL), seed=st.integers(0, 1000), sims=st.integers(1, 60), memory=st.sampled_from([1, 8]))
def test_an_unfinished_proof_says_nothing_wrong(name: str, seed: int, sims: int, memory: int) -> None:
    state = _somewhere(name, seed)
    role = state.mover
    search = Prover(_game(name), ProverSettings(memory=memory))
    search.begin_game(seed)
    result = search.search(state, Budget(simulations=sims), role=role)
    value = _value(name, state, role)
    assert search.low <= value <= search.high
    assert search.proven in (None, value)
    assert result.move in state.legal(role) and result.simulations <= sims
    # What was worked out is still there: some more of it, and the answer is found.
    search.search(state, Budget(simulations=10**6), role=role)
    assert search.proven == value


def test_where_cells_that_are_not_needed_are_left_out_every_position_keeps_its_value() -> None:
    """All positions of hex@3x3, for both roles, with one table: a region that is too small would be seen in some of them."""
    name = "hex@3x3"
    search = Prover(_game(name), ProverSettings(memory=1))
    search.begin_game(1)
    todo, seen = [_game(name).initial_state()], set()
    while todo:
        state = todo.pop()
        if state.terminal or state.key in seen:
            continue
        seen.add(state.key)
        for role in (0, 1):
            search.search(state, Budget(simulations=10**5), role=role)
            assert search.proven == _value(name, state, role), state
            if role == state.mover:
                for move in search.lost_moves:
                    assert _value(name, _after(state, move), role) == 0.0, state
        todo += [_after(state, move) for move in state.legal(state.mover)]
    assert len(seen) > 3000


@pytest.mark.parametrize("seed", range(6))
def test_regions_on_a_larger_board(seed: int) -> None:
    """Positions of hex@4x4 with some stones, each role's moves proven one by one with an empty table and with a full one."""
    name = "hex@4x4"
    draw = random.Random(seed)
    state = _game(name).initial_state()
    for _ in range(7):
        after = _after(state, draw.choice(state.legal(state.mover)))
        state = state if after.terminal else after
    search = Prover(_game(name))
    for fresh in (True, False):
        for move in state.legal(state.mover):
            after = _after(state, move)
            if fresh:
                search.begin_game(1)
            if not after.terminal:
                search.search(after, Budget(simulations=10**6), role=after.mover)
                assert search.proven == _value(name, after, after.mover), after


def test_the_first_player_wins_hex_on_five_by_five() -> None:
    search = Prover(_game("hex@5x5"))
    search.begin_game(1)
    search.search(_game("hex@5x5").initial_state(), Budget(simulations=10**6), role=0)
    assert search.proven == 1.0


def test_both_roles_agree_through_a_whole_game() -> None:
    game = _game("connect4@4x4")
    searches = [Prover(game), Prover(game)]
    state = game.initial_state()
    for search in searches:
        search.begin_game(3)
    step = 0
    while not state.terminal:
        search = searches[state.mover]
        result = search.search(state, Budget(simulations=10**6), role=state.mover, step=step)
        assert search.proven == 0.5
        state.play(result.move)
        step += 1
    assert list(state.goals) == [0.5, 0.5]


def test_a_value_is_the_best_that_its_moves_are_proven_to_bring() -> None:
    """Also where the key of a position looks like that of a question (black on the second point, white on the first)."""
    game = _game("nogo@3x4")
    search = Prover(game)
    search.begin_game(1)
    state = game.initial_state()
    result = search.search(state, Budget(simulations=10**6), role=0)
    value = search.proven
    brought = []
    for move in state.legal(0):
        after = state.copy()
        after.play(move)
        search.search(after, Budget(simulations=10**6), role=1)
        assert search.proven is not None
        brought.append(1.0 - search.proven)
    assert value == max(brought) and result.notes["proven"] == value


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1000), sims=st.integers(1, 400))
def test_moves_that_are_said_to_be_lost_are_lost(seed: int, sims: int) -> None:
    name = "connect4@4x4"
    state = _somewhere(name, seed)
    search = Prover(_game(name))
    search.begin_game(seed)
    search.search(state, Budget(simulations=sims), role=state.mover)
    for move in search.lost_moves:
        after = state.copy()
        after.play(move)
        assert _value(name, after, state.mover) == 0.0
    if search.proven == 0.0:
        assert sorted(search.lost_moves) == sorted(state.legal(state.mover))


def test_what_is_proven_is_held_for_nothing_after_the_next_moves() -> None:
    """The table lasts: after the proof and one move of each side the answer takes a small part of the work."""
    game = _game("connect4@5x4")
    search = Prover(game)
    search.begin_game(1)
    state = game.initial_state()
    first = search.search(state, Budget(simulations=10**6), role=0)
    state.play(first.move)
    state.play(state.legal(1)[0])
    then = search.search(state, Budget(simulations=10**6), role=0, step=2)
    assert search.proven is not None and search.proven >= first.notes["proven"]
    assert then.simulations < first.simulations // 10


def test_where_both_move_at_once_nothing_is_proven() -> None:
    rules = load("gdl:tron")
    search = Prover(rules)
    search.begin_game(1)
    state = rules.initial_state()
    result = search.search(state, Budget(simulations=20_000), role=0)
    assert search.proven is None
    assert result.move in state.legal(0) and result.moves == []


class Circle(paidia.PythonGame):
    """Two push a stone around three places, each in turn; who stops first has lost, so it goes on for ever."""

    def __init__(self, fails: bool = False) -> None:
        super().__init__("circle", ["first", "second"], 2)
        self.fails = fails

    def initial_state(self) -> CircleState:
        return CircleState(self)


class CircleState(paidia.PythonState):
    def __init__(self, game: paidia.Game) -> None:
        self.place = self.turn = 0

    def assign(self, other: CircleState) -> None:
        self.place, self.turn = other.place, other.turn

    def to_move(self) -> int:
        return self.turn

    def legal_moves(self, role: int) -> Sequence[int]:
        return [0, 1] if role == self.turn else []

    def apply(self, joint: tuple[int | None, ...]) -> None:
        if self.game.fails:
            raise RuntimeError("no more")
        self.place = 3 if joint[self.turn] else (self.place + 1) % 3
        self.turn = 1 - self.turn

    def is_terminal(self) -> bool:
        return self.place == 3

    def goal_values(self) -> Sequence[float]:
        return [float(role == self.turn) for role in (0, 1)] if self.is_terminal() else [0.5, 0.5]

    def hash_key(self) -> object:
        return (self.place, self.turn)


def test_positions_that_come_again_prove_nothing_and_errors_of_rules_are_raised() -> None:
    search = Prover(Circle())
    search.begin_game(1)
    search.search(search.game.initial_state(), Budget(simulations=1000), role=0)
    assert search.proven is None and (search.low, search.high) == (0.0, 1.0)
    failing = Prover(Circle(fails=True))
    failing.begin_game(1)
    with pytest.raises(RuntimeError, match="no more"):
        failing.search(failing.game.initial_state(), Budget(simulations=1000), role=0)


def test_games_that_cannot_be_proven_are_refused() -> None:
    for game, why in (("gdl:eight-puzzle", "two opponents"), ("vgdl:ferry", "two opponents"), ("go@3x3", "whole past")):
        with pytest.raises(BadInput, match=why):
            Prover(load(game))
    with pytest.raises(BadInput, match="megabytes"):
        ProverSettings(memory=0)


def test_it_plays_as_an_agent() -> None:
    result = paidia.play("tic-tac-toe", ["prover", "uct"], sims=5000, seed=1)
    assert result.record.goals[0] >= 0.5


@pytest.mark.parametrize("name", ["gdl:tic-tac-toe", "connect4@4x4"])
def test_in_the_others_turn_it_proves_and_plays_nothing(name: str) -> None:
    game = _game(name)
    state = game.initial_state()
    prover = Prover(game)
    prover.begin_game(1)
    result = prover.search(state, Budget(simulations=10**6), role=1, step=0)
    assert result.move is None and prover.proven == pytest.approx(_value(name, state, 1))
