"""Leaf routines that see what decides a game at once, against nothing but the rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paidia
from paidia.games.gdl.lanes.compile.build import build_leaves
from paidia.games.gdl.lanes.compile.decisive import Sample
from paidia.games.gdl.lanes.slow import run_routine


def bits(planes: Any) -> Any:
    """(planes, lanes) of 0 and 1."""
    return np.unpackbits(np.ascontiguousarray(planes).view(np.uint8), axis=1, bitorder="little")


def after(state: Any, role: int, move: int) -> Any:
    following = state.clone()
    following.play([move if each == role else None for each in range(state.game.n_roles)])
    return following


def winning(state: Any, role: int) -> set[str]:
    """The moves, by name, of the role to act with which it wins at once, by playing them."""
    ends = {move: after(state, role, move) for move in state.legal(role)}
    return {state.game.move_name(role, move) for move, end in ends.items() if end.terminal and end.goals[role] == 1.0}


def given_to(game: Any, state: Any, role: int) -> Any:
    """The same position with a role to move."""
    if state.mover == role:
        return state
    text, mine, theirs = state.to_text(), game.roles[1 - role], game.roles[role]
    assert f"(turn {mine})" in text
    return game.from_text(text.replace(f"(turn {mine})", f"(turn {theirs})"))


def holding(game: Any, ends: dict[int, Any], role: int, threats: set[str]) -> set[str]:
    """The moves, by name, after which none of the other's threats is left: it has the name of the move, or may not be made."""
    found = set()
    for move, end in ends.items():
        name = game.move_name(role, move)
        may = names_of(game, given_to(game, end, 1 - role), 1 - role) if threats else set()
        if threats and not (threats - {name}) & may:
            found.add(name)
    return found


def names_of(game: Any, state: Any, role: int) -> set[str]:
    return {game.move_name(role, move) for move in state.legal(role)}


@pytest.mark.parametrize(
    ("name", "guided"),
    [
        ("gdl:connect4", True),
        ("gdl:connect4", False),
        ("gdl:tic-tac-toe-3d", False),
        ("gdl:breakthrough", True),
        ("gdl:knightthrough", False),
        ("gdl:quad", True),
    ],
)
def test_wins_are_made_and_threats_are_met(name: str, guided: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paidia.games.gdl.lanes.compile.build.is_clear_cut", lambda _: True)
    game = paidia.load(name)
    program = build_leaves(game, guided=guided, decisive=True)
    rng = np.random.default_rng(4)
    planes = np.zeros((program.leaf.n_planes, 1), np.uint32)  # 32 lanes
    for fluent, holds in enumerate(program.initial):
        planes[fluent] = 0xFFFFFFFF if holds else 0
    if guided:
        planes[program.over_plane : program.leaf_over] = rng.integers(2**32, size=(program.n_tastes, 1), dtype=np.uint32)
    first = [0, *np.cumsum([len(moves) for moves in program.moves])]
    states = [game.initial_state() for _ in range(12)]  # the other lanes are not looked at
    won = met = 0
    for _ in range(100):
        planes[program.n_fluents : program.over_plane] = rng.integers(2**32, size=(program.n_random, 1), dtype=np.uint32)
        run_routine(program.leaf, planes)
        facts = bits(planes[: program.n_fluents])
        told = bits(planes[program.made_planes.first : program.made_planes.end]) if guided else None
        for lane, state in enumerate(states):
            if state.terminal:
                continue
            role = state.mover
            now = {program.fluents[fluent] for fluent in np.flatnonzero(facts[:, lane])}
            ends = {move: after(state, role, move) for move in state.legal(role)}
            made = [move for move, end in ends.items() if set(end.fluents()) & set(program.fluents) == now]
            assert len(made) == 1  # a move that the rules have
            move = game.move_name(role, made[0])
            wins = winning(state, role)
            if not wins and any(end.terminal for end in ends.values()):
                states[lane] = ends[made[0]]  # the game is over before anybody carries out a threat
                continue
            threats = set() if wins else winning(given_to(game, state, 1 - role), 1 - role)
            holds = holding(game, ends, role, threats)
            forced = wins or holds
            assert not forced or move in forced
            won, met = won + bool(wins), met + bool(holds)
            if told is not None:  # nothing is to be learned of what had to be
                assert told[first[role] : first[role + 1], lane].sum() == (0 if forced else 1)
            states[lane] = ends[made[0]]
        if all(state.terminal for state in states):
            break
    assert won > 5
    assert met > 5


def test_where_other_ends_are_worth_nearly_as_much_nothing_is_looked_for() -> None:
    game = paidia.load("gdl:quad")
    assert max(value for value in game.machine.net.goal_values if value < 1.0) == 0.95
    sizes = {decisive: len(build_leaves(game, guided=False, decisive=decisive).leaf.rows) for decisive in (False, True)}
    assert sizes[False] == sizes[True]


def test_games_are_won_more_often_by_whoever_sees_it(three_above_each_other: Any) -> None:
    state = three_above_each_other
    for tau in (0.0, 0.02):
        assert state.game.leaves(1, tau, decisive=True).means([state], seed=1) == [[1.0, 0.0]]
        assert state.game.leaves(1, tau).means([state], seed=1)[0][0] < 0.9


def test_who_waits_has_one_move() -> None:
    for name, moves in (("gdl:quad", ["noop", "noop"]), ("gdl:connect4", ["noop", "noop"]), ("gdl:battle", [])):
        game = paidia.load(name)
        names = [move for own in game.machine.net.moves for move in own]
        assert [names[move] for move in Sample(game).idle if move is not None] == moves
