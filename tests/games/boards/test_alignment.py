"""Tic-tac-toe, gomoku and connect five against known counts and an oracle of lists."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paidia.core.errors import BadInput
from paidia.games import load

SIZES = {
    "tic-tac-toe": (3, 3, 3),
    "connect5": (8, 8, 5),
    "connect5@5x9": (5, 9, 5),
    "gomoku": (15, 15, 5),
    "gomoku@6x19": (6, 19, 5),
    "gomoku@19": (19, 19, 5),
}


class Oracle:
    """A list of rows, lowest first; -1 is empty. Runs are looked for everywhere, every time."""

    def __init__(self, rows: int, columns: int, k: int) -> None:
        self.board = [[-1] * columns for _ in range(rows)]
        self.k = k
        self.mover = 0

    def legal(self) -> list[int]:
        owners = [owner for row in self.board for owner in row]
        return [cell for cell, owner in enumerate(owners) if owner == -1]

    def play(self, cell: int) -> None:
        row, column = divmod(cell, len(self.board[0]))
        self.board[row][column] = self.mover
        self.mover = 1 - self.mover

    def winner(self) -> int | None:
        rows, columns = len(self.board), len(self.board[0])
        for row in range(rows):
            for column in range(columns):
                owner = self.board[row][column]
                if owner == -1:
                    continue
                for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    r, c, length = row, column, 0
                    while 0 <= r < rows and 0 <= c < columns and self.board[r][c] == owner:
                        r, c, length = r + up, c + right, length + 1
                    if length >= self.k:
                        return owner
        return None

    def terminal(self) -> bool:
        return self.winner() is not None or not self.legal()

    def goals(self) -> list[float]:
        winner = self.winner()
        return [0.5, 0.5] if winner is None else [float(role == winner) for role in range(2)]


def test_perft_of_tic_tac_toe(perft):
    state = load("tic-tac-toe").initial_state()
    counts = [perft(state, depth) for depth in range(1, 10)]
    assert counts == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


def test_all_games_of_tic_tac_toe():
    """Every game to its end: 131184 won by x, 77904 by o, 46080 drawn."""
    results = {(1.0, 0.0): 0, (0.0, 1.0): 0, (0.5, 0.5): 0}
    todo = [load("tic-tac-toe").initial_state()]
    while todo:
        state = todo.pop()
        if state.terminal:
            results[tuple(state.goals)] += 1
            continue
        for move in state.legal(state.mover):
            child = state.clone()
            child.play(move)
            todo.append(child)
    assert list(results.values()) == [131184, 77904, 46080]
    assert sum(results.values()) == 255168


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize("spec", list(SIZES)[:-1])
def test_random_games(spec, seed, walk):
    assert walk(load(spec), Oracle(*SIZES[spec]), seed) >= 5


@pytest.mark.parametrize("seed", range(2))
def test_random_games_on_the_largest_board(seed, walk):
    walk(load("gomoku@19"), Oracle(*SIZES["gomoku@19"]), seed)


@pytest.mark.parametrize("spec", SIZES)
def test_every_line_wins(spec):
    """All places and directions of k stones; the one in the middle comes last."""
    rows, columns, k = SIZES[spec]
    game = load(spec)
    for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(rows - (k - 1) * up):
            for column in range(columns):
                if not 0 <= column + (k - 1) * right < columns:
                    continue
                line = [(row + i * up) * columns + column + i * right for i in range(k)]
                line.append(line.pop(k // 2))
                others = [cell for cell in range(0, rows * columns, 2) if cell not in line]
                state = game.initial_state()
                for own, other in zip(line, scattered(others, k), strict=True):
                    assert not state.terminal
                    state.play(own)
                    if own != line[-1]:
                        state.play(other)
                assert state.terminal
                assert state.goals == [1.0, 0.0]


def scattered(cells: list[int], k: int) -> list[int]:
    """k cells out of which fewer than k lie on any line: the first two and the last ones."""
    return cells[:2] + cells[len(cells) - (k - 2) :]


def test_six_in_a_row_win_too():
    state = load("gomoku").initial_state()
    for own, other in zip([0, 1, 2, 4, 5], [30, 60, 93, 126, 159], strict=True):
        state.play(own)
        state.play(other)
    assert not state.terminal
    state.play(3)
    assert state.goals == [1.0, 0.0]


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**64 - 1), limit=st.integers(0, 130))
@pytest.mark.parametrize("spec", ["tic-tac-toe", "connect5", "gomoku@9x12"])
def test_playout_leaves_a_sound_position(spec, seed, limit, rows_of, agree):
    state, oracle = load(spec).initial_state(), Oracle(*SIZES.get(spec, (9, 12, 5)))
    steps = state.random_playout(seed, limit)
    oracle.board = [[cell - 1 for cell in row] for row in rows_of(state.draw(), ".xo")]
    oracle.mover = steps % 2
    assert steps <= limit and (steps == limit or state.terminal)
    assert steps == sum(cell >= 0 for row in oracle.board for cell in row)
    agree(state, oracle)


@pytest.mark.parametrize(("spec", "sample"), [("tic-tac-toe", 8000), ("connect5", 4000), ("gomoku", 1500)])
def test_playout_distribution(spec, sample, same_distribution, uniform_choice):
    start = load(spec).initial_state()
    same_distribution(start, sample)
    start.play(4)
    same_distribution(start, sample)
    uniform_choice(start, 20 * sample)


@pytest.mark.parametrize(("spec", "depth"), [("tic-tac-toe", 9), ("connect5@5x9", 2)])
def test_keys(spec, depth, keys_tell_positions):
    keys_tell_positions(load(spec), Oracle(*SIZES[spec]), depth)


@pytest.mark.parametrize("spec", ["tic-tac-toe@4", "gomoku@4", "connect5@20"])
def test_bad_sizes(spec):
    with pytest.raises(BadInput, match="is played on boards from"):
        load(spec)
