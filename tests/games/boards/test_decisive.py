"""What `decisive` leaves of the legal moves, against a look of two plies with nothing but the rules."""

from __future__ import annotations

import random

import pytest

import paidia
from paidia.core.model import Situation

GAMES = [
    "breakthrough", "breakthrough@5x4", "breakthrough@9x9", "knightthrough", "knightthrough@9x8", "misere-breakthrough",
    "misere-knightthrough", "connect4", "connect4@5x4", "connect4@9x9", "tic-tac-toe", "connect5", "connect5@6x7", "gomoku",
    "atarigo@5x5", "atarigo", "atarigo@9x9", "atarigo-suicide@5x5", "nogo@5x5", "hex@4x4", "reversi@4x4", "domineering@4x4",
]  # fmt: skip


def after(state: Situation, move: int) -> Situation:
    there = state.copy()
    there.play(move)
    return there


def wins(state: Situation, role: int) -> list[int]:
    """The moves of the mover with which `role` has won."""
    return [
        move for move in state.legal(state.mover or 0) if after(state, move).values[role] == 1.0 and after(state, move).terminal
    ]


def loses(state: Situation, role: int, move: int) -> bool:
    """Whether a move of the mover ends the game lost, or lets the other role end it won."""
    there = after(state, move)
    if there.terminal:
        return there.values[role] == 0.0
    return there.mover is not None and there.mover != role and bool(wins(there, 1 - role))


def check(state: Situation) -> bool:
    """Compare one position; whether something was left out."""
    role = state.mover
    assert role is not None
    legal, left = state.legal(role), state.decisive(role)
    assert left and set(left) <= set(legal) and len(set(left)) == len(left), state
    assert left == [move for move in legal if move in left] or len(left) == 1, "in the order of the rules"
    if len(left) == len(legal):
        return False
    winning = wins(state, role)
    if set(left) & set(winning):
        assert set(left) <= set(winning), f"{state}\n{left} {winning}"
        return True
    assert not winning, f"{state}\nwins {winning}, left {left}"
    for move in set(legal) - set(left):
        assert loses(state, role, move), f"{state}\n{state.game.move_name(role, move)} is left out and does not lose"
    return True


@pytest.mark.parametrize("id", GAMES)
def test_only_what_cannot_be_better_is_left_out(id: str) -> None:
    game = paidia.load(id)
    found = 0
    for seed in range(3 if "9" in id or id == "gomoku" else 12):
        rng = random.Random(seed)
        state = game.initial_state()
        while not state.terminal:
            found += check(state)
            # Half of the games as a playout with decisive moves goes, half at random.
            state.play(rng.choice(state.decisive(state.mover) if seed % 2 else state.legal(state.mover)))
    assert (found > 0) == (game.decisive or id.startswith("hex"))
