"""Positions that several tests of lanes look at."""

from __future__ import annotations

from typing import Any

import pytest

import paidia


@pytest.fixture
def three_above_each_other() -> Any:
    """Red to move in connect 4, with an immediate win in column 1 and no other."""
    game = paidia.load("gdl:connect4")
    state = game.initial_state()
    for column in (1, 3, 1, 4, 1, 7):
        role = state.mover
        drop = next(move for move in state.legal(role) if game.move_name(role, move) == f"(drop {column})")
        state.play([drop if each == role else None for each in range(2)])
    return state
