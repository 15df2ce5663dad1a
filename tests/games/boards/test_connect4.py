"""Connect four against known counts and an oracle of lists."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paidia.core.errors import BadInput, IllegalMove
from paidia.games import load

SIZES = [
    "connect4",
    "connect4@4",
    "connect4@7x8",
    "connect4@4x12",
    "connect4@12x5",
    "connect4@8x8",
    "connect4@12x14",
    "connect4@19",
]


class Oracle:
    """A list of rows, lowest first; -1 is empty. A win is looked for everywhere, every time."""

    def __init__(self, rows: int, columns: int) -> None:
        self.board = [[-1] * columns for _ in range(rows)]
        self.mover = 0

    def legal(self) -> list[int]:
        return [column for column, top in enumerate(self.board[-1]) if top == -1]

    def play(self, column: int) -> None:
        row = min(r for r in range(len(self.board)) if self.board[r][column] == -1)
        self.board[row][column] = self.mover
        self.mover = 1 - self.mover

    def winner(self) -> int | None:
        rows, columns = len(self.board), len(self.board[0])
        for row in range(rows):
            for column in range(columns):
                for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    cells = [(row + i * up, column + i * right) for i in range(4)]
                    if all(r < rows and 0 <= c < columns for r, c in cells):
                        owners = {self.board[r][c] for r, c in cells}
                        if len(owners) == 1 and owners != {-1}:
                            return owners.pop()
        return None

    def terminal(self) -> bool:
        return self.winner() is not None or not self.legal()

    def goals(self) -> list[float]:
        winner = self.winner()
        return [0.5, 0.5] if winner is None else [float(role == winner) for role in range(2)]


def oracle_of(spec: str) -> Oracle:
    size = spec.partition("@")[2] or "6x7"
    rows, _, columns = size.partition("x")
    return Oracle(int(rows), int(columns or rows))


def test_perft(perft):
    state = load("connect4").initial_state()
    assert [perft(state, depth) for depth in range(1, 8)] == [7, 49, 343, 2401, 16807, 117649, 823536]


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize("spec", SIZES[:-1])
def test_random_games(spec, seed, walk):
    assert walk(load(spec), oracle_of(spec), seed) >= 7


@pytest.mark.parametrize("seed", range(3))
def test_random_games_on_the_largest_board(seed, walk):
    walk(load("connect4@19"), oracle_of("connect4@19"), seed)


def test_columns_fill_to_the_top_on_every_size(rows_of):
    """Each column alone, in turns: also where its bits stand astride two words."""
    for rows, columns in itertools.product(range(4, 20), repeat=2):
        game = load(f"connect4@{rows}x{columns}")
        for column in range(columns):
            state = game.initial_state()
            for _ in range(rows):
                assert state.legal(state.mover) == list(range(columns))
                state.play(column)
            assert state.legal(state.mover) == [c for c in range(columns) if c != column]
            drawn = [row[column] for row in rows_of(state.draw(), ".xo")]
            assert drawn == [1 + row % 2 for row in range(rows)]


def test_full_board_is_a_draw(agree):
    """Pairs of columns filled in step, the middle ones out of step, leave no four in a row."""
    state, oracle = load("connect4").initial_state(), Oracle(6, 7)
    for column in [0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 2, 3, 2, 3, 3, 2, 3, 2, 2, 3, 2, 3]:
        state.play(column)
        oracle.play(column)
    for column in [4, 5, 4, 5, 5, 4, 5, 4, 4, 5, 4, 5, 6, 6, 6, 6, 6, 6]:
        assert not state.terminal
        state.play(column)
        oracle.play(column)
    agree(state, oracle)
    assert state.terminal and state.goals == [0.5, 0.5]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**64 - 1), limit=st.integers(0, 50) | st.just(1000))
@pytest.mark.parametrize("spec", SIZES)
def test_playout_leaves_a_sound_position(spec, seed, limit, rows_of, agree):
    state, oracle = load(spec).initial_state(), oracle_of(spec)
    steps = state.random_playout(seed, limit)
    oracle.board = [[cell - 1 for cell in row] for row in rows_of(state.draw(), ".xo")]
    oracle.mover = steps % 2
    assert steps <= limit and (steps == limit or state.terminal)
    assert steps == sum(cell >= 0 for row in oracle.board for cell in row)
    agree(state, oracle)


def test_playout_distribution(same_distribution, uniform_choice):
    start = load("connect4").initial_state()
    same_distribution(start)
    for column in (3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 6):  # two full columns: some draws are refused
        start.play(column)
    same_distribution(start)
    uniform_choice(start)
    same_distribution(load("connect4@5x6").initial_state())


@pytest.mark.parametrize(("spec", "depth"), [("connect4@4", 6), ("connect4@9x9", 3)])
def test_keys(spec, depth, keys_tell_positions):
    keys_tell_positions(load(spec), oracle_of(spec), depth)


def test_bad_moves_and_sizes():
    state = load("connect4").initial_state()
    for _ in range(6):
        state.play(0)
    with pytest.raises(IllegalMove):
        state.play(0)
    with pytest.raises(BadInput, match="4x4 to 19x19"):
        load("connect4@3x7")
