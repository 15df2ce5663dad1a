"""Domineering against known counts and an oracle of lists."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paidia.games import load
from paidia.games.boards.domineering import Domineering

SIZES = {
    "": (8, 8),
    "@2": (2, 2),
    "@2x5": (2, 5),
    "@5x2": (5, 2),
    "@7x9": (7, 9),
    "@9x8": (9, 8),
    "@13x11": (13, 11),
    "@19": (19, 19),
}


class Oracle:
    """A list of rows, lowest first, and whether each cell is taken."""

    def __init__(self, rows: int, columns: int, *, misere: bool = False) -> None:
        self.board = [[False] * columns for _ in range(rows)]
        self.misere = misere
        self.mover = 0

    def cells(self, move: int) -> list[tuple[int, int]]:
        row, column = divmod(move, len(self.board[0]))
        return [(row, column), (row + 1, column) if self.mover == 0 else (row, column + 1)]

    def taken(self, row: int, column: int) -> bool:
        on_board = 0 <= row < len(self.board) and 0 <= column < len(self.board[0])
        return not on_board or self.board[row][column]

    def legal(self) -> list[int]:
        moves = range(len(self.board) * len(self.board[0]))
        return [move for move in moves if not any(self.taken(*cell) for cell in self.cells(move))]

    def play(self, move: int) -> None:
        for row, column in self.cells(move):
            self.board[row][column] = True
        self.mover = 1 - self.mover

    def terminal(self) -> bool:
        return not self.legal()

    def goals(self) -> list[float]:
        if not self.terminal():
            return [0.5, 0.5]
        return [float((role == self.mover) == self.misere) for role in range(2)]

    def code(self, move: int, neighbourhood: int) -> int:
        """The cell, then one bit for each cell around the domino that is taken or off the board."""
        row, column = divmod(move, len(self.board[0]))
        if self.mover == 0:  # before and behind, left side, right side, corners
            around = [
                (row - 1, column),
                (row + 2, column),
                (row, column - 1),
                (row + 1, column - 1),
                (row, column + 1),
                (row + 1, column + 1),
                (row - 1, column - 1),
                (row + 2, column - 1),
                (row - 1, column + 1),
                (row + 2, column + 1),
            ]
        else:  # before and behind, lower side, upper side, corners
            around = [
                (row, column - 1),
                (row, column + 2),
                (row - 1, column),
                (row - 1, column + 1),
                (row + 1, column),
                (row + 1, column + 1),
                (row - 1, column - 1),
                (row - 1, column + 2),
                (row + 1, column - 1),
                (row + 1, column + 2),
            ]
        mask = sum(self.taken(*cell) << bit for bit, cell in enumerate(around[:neighbourhood]))
        return move * 2**neighbourhood + mask


def test_perft(perft):
    state = load("domineering").initial_state()
    assert [perft(state, depth) for depth in range(1, 4)] == [56, 2940, 146580]


@pytest.mark.slow
def test_perft_deeper(perft):
    assert perft(load("domineering").initial_state(), 4) == 6823548


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), misere=st.booleans())
@pytest.mark.parametrize("size", SIZES)
def test_random_games(size, seed, misere, walk):
    game = load(("misere-" if misere else "") + "domineering" + size)
    walk(game, Oracle(*SIZES[size], misere=misere), seed)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 40))
@pytest.mark.parametrize("neighbourhood", [6, 10])
@pytest.mark.parametrize("size", SIZES)
def test_codes(size, neighbourhood, seed, plies, rows_of):
    name = "domineering" if neighbourhood == 6 else "domineering-10"
    game, oracle = load(name + size), Oracle(*SIZES[size])
    state = game.initial_state()
    oracle.mover = state.random_playout(seed, plies) % 2
    oracle.board = [[cell > 0 for cell in row] for row in rows_of(state.draw(), ".|-")]
    if state.terminal:
        return
    codes = state.codes(oracle.mover)
    assert codes == [oracle.code(move, neighbourhood) for move in oracle.legal()]
    assert all(0 <= code < game.n_codes for code in codes)


def test_code_by_hand():
    state = load("domineering@4x3").initial_state()
    state.play(state.game.move_id(0, "a1a2"))
    state.play(state.game.move_id(1, "b4c4"))
    codes = dict(zip(state.legal(0), state.codes(0), strict=True))
    low, middle = state.game.move_id(0, "b1b2"), state.game.move_id(0, "b2b3")
    assert codes[low] == low * 64 + 0b001101  # off the board below, both cells on the left
    assert codes[middle] == middle * 64 + 0b000110  # b4 above, a2 on the left


def test_misere_is_the_same_game_with_goals_exchanged():
    for seed in range(50):
        plain, misere = load("domineering").initial_state(), load("misere-domineering").initial_state()
        assert plain.random_playout(seed) == misere.random_playout(seed)
        assert plain.draw() == misere.draw()
        assert plain.goals == [1 - goal for goal in misere.goals]
        assert sum(plain.goals) == 1


@pytest.mark.parametrize("spec", ["domineering", "misere-domineering@6x5", "domineering@10", "domineering@2"])
def test_playout_is_the_default_one(spec, same_draws):
    same_draws(load(spec).initial_state())


@pytest.mark.parametrize(("size", "depth"), [("@3x4", 6), ("@9x8", 2)])
def test_keys(size, depth, keys_tell_positions):
    """Who covered a cell does not matter any more, so it is not part of the position."""
    rows, columns = (int(side) for side in size[1:].split("x"))
    keys_tell_positions(load("domineering" + size), Oracle(rows, columns), depth)


def test_neighbourhood_is_6_or_10():
    with pytest.raises(ValueError, match="6 or 10"):
        Domineering("domineering", 8, 8, neighbourhood=8)
    assert load("domineering").n_codes == 64 * 64
    assert load("misere-domineering-10").n_codes == 64 * 1024
