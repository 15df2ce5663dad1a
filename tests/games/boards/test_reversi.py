"""Reversi against known counts and an oracle that walks along the rows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paidia.core.errors import BadInput
from paidia.games import load

SIZES = {
    "reversi": (8, 8),
    "reversi@4": (4, 4),
    "reversi@4x6": (4, 6),
    "reversi@6": (6, 6),
    "reversi@16x4": (16, 4),
    "reversi@4x16": (4, 16),
    "reversi@8x10": (8, 10),
    "reversi@10": (10, 10),
    "reversi@12": (12, 12),
    "reversi@16": (16, 16),
}
DIRECTIONS = [(up, right) for up in (-1, 0, 1) for right in (-1, 0, 1) if (up, right) != (0, 0)]


class Oracle:
    """A list of rows, lowest first; -1 is empty."""

    def __init__(self, rows: int, columns: int) -> None:
        self.board = [[-1] * columns for _ in range(rows)]
        self.mover = 0
        up, right = rows // 2, columns // 2
        self.board[up - 1][right - 1] = self.board[up][right] = 1
        self.board[up - 1][right] = self.board[up][right - 1] = 0

    def turned(self, role: int, row: int, column: int) -> list[tuple[int, int]]:
        """What a disc here turns over; nothing if the cell is taken."""
        rows, columns = len(self.board), len(self.board[0])
        out: list[tuple[int, int]] = []
        if self.board[row][column] != -1:
            return out
        for up, right in DIRECTIONS:
            run = []
            r, c = row + up, column + right
            while 0 <= r < rows and 0 <= c < columns and self.board[r][c] == 1 - role:
                run.append((r, c))
                r, c = r + up, c + right
            if 0 <= r < rows and 0 <= c < columns and self.board[r][c] == role:
                out += run
        return out

    def placements(self, role: int) -> list[int]:
        rows, columns = len(self.board), len(self.board[0])
        return [r * columns + c for r in range(rows) for c in range(columns) if self.turned(role, r, c)]

    def legal(self) -> list[int]:
        return self.placements(self.mover) or [len(self.board) * len(self.board[0])]

    def play(self, move: int) -> None:
        columns = len(self.board[0])
        if move < len(self.board) * columns:
            row, column = divmod(move, columns)
            for r, c in self.turned(self.mover, row, column):
                self.board[r][c] = self.mover
            self.board[row][column] = self.mover
        self.mover = 1 - self.mover

    def terminal(self) -> bool:
        return not self.placements(0) and not self.placements(1)

    def goals(self) -> list[float]:
        count = [sum(row.count(role) for row in self.board) for role in range(2)]
        if not self.terminal() or count[0] == count[1]:
            return [0.5, 0.5]
        return [float(count[role] > count[1 - role]) for role in range(2)]


def test_perft(perft):
    state = load("reversi").initial_state()
    assert [perft(state, depth) for depth in range(1, 8)] == [4, 12, 56, 244, 1396, 8200, 55092]


@pytest.mark.slow
def test_perft_deeper(perft):
    """Deep enough for the first games that end early and the first passes."""
    state = load("reversi").initial_state()
    assert perft(state, 8) == 390216
    assert perft(state, 9) == 3005288


@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize("spec", list(SIZES)[:-2])
def test_random_games(spec, seed, walk):
    walk(load(spec), Oracle(*SIZES[spec]), seed)


@pytest.mark.parametrize("spec", list(SIZES)[-2:])
def test_random_games_on_large_boards(spec, walk):
    walk(load(spec), Oracle(*SIZES[spec]), 5)


def test_pass_is_forced_and_single():
    """Small boards pass often: the mover then has `pass` alone, and the other player moves next."""
    game, passes = load("reversi@4"), 0
    for seed in range(100):
        state = game.initial_state()
        for limit in range(1, 16):
            state = game.initial_state()
            state.random_playout(seed, limit)
            mover = state.mover
            if mover is None or "pass" not in [game.move_name(mover, move) for move in state.legal(mover)]:
                continue
            passes += 1
            assert state.legal(mover) == [game.n_moves - 1] == [game.move_id(mover, "pass")]
            before = state.draw().splitlines()[:-1]
            state.play(state.legal(mover)[0])
            assert state.mover == 1 - mover
            assert state.draw().splitlines()[:-1] == before
            assert game.n_moves - 1 not in state.legal(1 - mover)
    assert passes > 20


def test_all_results_occur_and_add_up():
    results = set()
    for seed in range(300):
        state = load("reversi@4").initial_state()
        state.random_playout(seed)
        assert sum(state.goals) == 1
        results.add(tuple(state.goals))
    assert results == {(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)}


@pytest.mark.parametrize("spec", ["reversi", "reversi@4", "reversi@6", "reversi@4x16", "reversi@10"])
def test_playout_is_the_default_one(spec, same_draws):
    start = load(spec).initial_state()
    same_draws(start, 200)
    start.random_playout(3, 7)
    same_draws(start, 200)


@pytest.mark.parametrize(("spec", "depth"), [("reversi@4", 7), ("reversi", 4), ("reversi@10", 3)])
def test_keys(spec, depth, keys_tell_positions):
    keys_tell_positions(load(spec), Oracle(*SIZES[spec]), depth)


@pytest.mark.parametrize("spec", ["reversi@2", "reversi@7", "reversi@18"])
def test_bad_sizes(spec):
    with pytest.raises(BadInput, match="from 4x4 to 16x16 with sides a multiple of 2"):
        load(spec)
