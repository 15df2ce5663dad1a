"""The facts of the contract: the atoms of a net's state are its fluents."""

from __future__ import annotations

import random

import pytest

from paidia.games.gdl.interpreter.interpreter import load
from paidia.games.gdl.language.rules import parse_sheet
from paidia.games.gdl.library import LIBRARY
from paidia.games.gdl.load import load_game
from paidia.games.gdl.net.kernel import NetGame, NetState


@pytest.mark.parametrize("name", sorted(LIBRARY.ids()))
def test_atoms_are_the_fluents_that_hold(name: str) -> None:
    game = LIBRARY.load(name)
    if not isinstance(game, NetGame):
        pytest.skip("too large for a net")
    net = game.machine.net
    assert game.n_atoms == len(net.fluents)
    rng = random.Random(name)
    for _ in range(3):
        state: NetState = game.initial_state()
        for _ in range(60):
            atoms = state.atoms()
            assert atoms == sorted(set(atoms))
            assert sorted([*(net.fluents[atom] for atom in atoms), *net.constant]) == state.fluents()
            if state.terminal:
                break
            state.play([rng.choice(moves) if (moves := state.legal(role)) else None for role in range(game.n_roles)])


def test_copies_have_the_same_atoms() -> None:
    game = LIBRARY.load("connect4")
    state = game.initial_state()
    copy = state.clone()
    state.play([state.legal(0)[0], None])
    assert copy.atoms() != state.atoms()
    copy.copy_from(state)
    assert copy.atoms() == state.atoms()


def test_the_interpreter_has_no_numbers_for_facts() -> None:
    sheet = parse_sheet(LIBRARY.text("connect4"), file="connect4.kif")
    assert load(sheet, "connect4").n_atoms == 0
    assert load(sheet, "connect4").initial_state().atoms() == []
    assert load_game(sheet, "connect4").n_atoms > 0
