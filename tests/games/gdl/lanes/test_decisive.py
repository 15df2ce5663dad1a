"""Leaf routines that see what decides a game at once, against nothing but the rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paidia
from paidia.games.gdl.lanes.compile.build import build_leaves
from paidia.games.gdl.lanes.slow import run_routine

WORDS = 8  # of 32 lanes
#: Sheets, and whether all wins by one move are seen in them (else those that are seen are wins).
SHEETS = {
    "gdl:connect4": True, "gdl:tic-tac-toe-3d": True, "gdl:connect5": True, "gdl:breakthrough": True, "gdl:quad": True,
    "gdl:pentago": False, "gdl:checkers": False,
}  # fmt: skip


def bits(planes: Any) -> Any:
    """(planes, lanes) of 0 and 1."""
    return np.unpackbits(np.ascontiguousarray(planes).view(np.uint8), axis=1, bitorder="little")


def winning(state: Any, role: int) -> set[int]:
    """The moves of the role to act with which it wins at once, by playing them."""
    found = set()
    for move in state.legal(role):
        after = state.clone()
        after.play([move if each == role else None for each in range(state.game.n_roles)])
        if after.terminal and after.goals[role] == 1.0:
            found.add(move)
    return found


@pytest.mark.parametrize("guided", [False, True])
@pytest.mark.parametrize("name", SHEETS)
def test_wins_are_made_and_threats_are_met(name: str, guided: bool) -> None:
    game = paidia.load(name)
    program = build_leaves(game, guided=guided, decisive=True)
    rng = np.random.default_rng(4)
    planes = np.zeros((program.leaf.n_planes, WORDS), np.uint32)
    for fluent, holds in enumerate(program.initial):
        planes[fluent] = 0xFFFFFFFF if holds else 0
    if guided:
        planes[program.over_plane : program.leaf_over] = rng.integers(2**32, size=(program.n_tastes, WORDS), dtype=np.uint32)
    states = [game.initial_state() for _ in range(32 * WORDS)]
    chances = made_wins = 0
    for _ in range(60):
        planes[program.n_fluents : program.over_plane] = rng.integers(2**32, size=(program.n_random, WORDS), dtype=np.uint32)
        before = bits(planes[: program.n_fluents])
        run_routine(program.leaf, planes)
        facts = bits(planes[: program.n_fluents])
        for lane, state in enumerate(states):
            if state.terminal:
                assert (before[:, lane] == facts[:, lane]).all()
                continue
            role = state.mover
            wins = winning(state, role)
            now = {program.fluents[fluent] for fluent in np.flatnonzero(facts[:, lane])}
            following = {}
            for move in state.legal(role):  # which of them was made: the one that leads here
                after = state.clone()
                after.play([move if each == role else None for each in range(game.n_roles)])
                if set(after.fluents()) == now | (set(after.fluents()) - set(program.fluents)):
                    following[move] = after
            assert following, "a move that the rules do not have"
            move, states[lane] = next(iter(following.items()))
            chances += bool(wins)
            made_wins += bool(wins & set(following))
    assert chances > 50
    if SHEETS[name]:
        assert made_wins == chances
    else:
        assert made_wins > chances / 4
