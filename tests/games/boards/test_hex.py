"""Hex against an oracle that searches for a chain through a list of rows."""

from __future__ import annotations

import random
from itertools import combinations, zip_longest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paidia.core.errors import BadInput
from paidia.games import load

SIDES = [2, 3, 5, 8, 11, 19]


class Oracle:
    """A list of rows, lowest first; -1 is empty. A chain is looked for from one edge, every time."""

    def __init__(self, side: int) -> None:
        self.board = [[-1] * side for _ in range(side)]
        self.mover = 0

    def legal(self) -> list[int]:
        side = len(self.board)
        return [r * side + c for r in range(side) for c in range(side) if self.board[r][c] == -1]

    def play(self, cell: int) -> None:
        row, column = divmod(cell, len(self.board))
        self.board[row][column] = self.mover
        self.mover = 1 - self.mover

    def joined(self, role: int) -> bool:
        side = len(self.board)
        edge = [(0, i) if role == 0 else (i, 0) for i in range(side)]
        todo = [(r, c) for r, c in edge if self.board[r][c] == role]
        seen = set(todo)
        while todo:
            row, column = todo.pop()
            if (row if role == 0 else column) == side - 1:
                return True
            for r, c in (
                (row, column - 1),
                (row, column + 1),
                (row - 1, column),
                (row + 1, column),
                (row + 1, column - 1),
                (row - 1, column + 1),
            ):
                if 0 <= r < side and 0 <= c < side and self.board[r][c] == role and (r, c) not in seen:
                    seen.add((r, c))
                    todo.append((r, c))
        return False

    def terminal(self) -> bool:
        return self.joined(0) or self.joined(1)

    def goals(self) -> list[float]:
        if not self.terminal():
            return [0.5, 0.5]
        return [float(self.joined(role)) for role in range(2)]


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize("side", SIDES)
def test_random_games(side, seed, walk):
    """Never a draw, and never both: exactly one role gets the goal."""
    oracle = Oracle(side)
    assert walk(load(f"hex@{side}"), oracle, seed) >= 2 * side - 1
    assert sum(oracle.goals()) == 1


@pytest.mark.parametrize("side", [2, 3, 4])
def test_perft(side, perft):
    """No game on a side of n ends before move 2n - 1, so up to there counts are falling factorials."""
    state, expected = load(f"hex@{side}").initial_state(), 1
    for depth in range(1, min(2 * side, 6)):
        expected *= side * side - depth + 1
        assert perft(state, depth) == expected


def test_all_positions_of_the_smallest_boards():
    """All games on 2x2 in both engines."""
    results = []
    for make in (load("hex@2").initial_state, lambda: Oracle(2)):
        wins, todo = [0, 0], [()]
        while todo:
            line = todo.pop()
            state = make()
            for move in line:
                state.play(move)
            over = state.terminal() if isinstance(state, Oracle) else state.terminal
            if over:
                goals = state.goals() if isinstance(state, Oracle) else state.goals
                wins[goals.index(1.0)] += 1
            else:
                todo += [(*line, move) for move in range(4) if move not in line]
        results.append(wins)
    assert results[0] == results[1]
    assert sum(results[0]) > 0


def test_straight_and_winding_chains():
    """A column of red, a row of blue, and a chain that runs along the slant."""
    game = load("hex@4")
    for red, blue, goals in (
        ("b1 b2 b3 b4", "c1 c2 c4", [1.0, 0.0]),
        ("a1 b2 c4 d3", "a3 b3 c3 d2", [0.0, 1.0]),  # c3 and d2 touch: below right
        ("d1 c2 b3 a4", "a1 a2 a3", [1.0, 0.0]),  # every step goes above left
    ):
        state = game.initial_state()
        for name in (name for pair in zip_longest(red.split(), blue.split()) for name in pair if name):
            assert not state.terminal
            state.play(game.move_id(state.mover, name))
        assert state.terminal
        assert state.goals == goals


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**64 - 1), limit=st.integers(0, 130))
@pytest.mark.parametrize("side", SIDES)
def test_playout_leaves_a_sound_position(side, seed, limit, rows_of, agree):
    state, oracle = load(f"hex@{side}").initial_state(), Oracle(side)
    steps = state.random_playout(seed, limit)
    oracle.board = [[cell - 1 for cell in row] for row in rows_of(state.draw(), ".xo")]
    oracle.mover = steps % 2
    assert steps <= limit and (steps == limit or state.terminal)
    assert steps == sum(cell >= 0 for row in oracle.board for cell in row)
    agree(state, oracle)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 30))
def test_a_playout_stopped_half_way_can_be_played_on(seed, plies, rows_of, walk, agree):
    """The forest that a playout leaves behind is as good as the one that single moves build."""
    game, oracle, rng = load("hex@6"), Oracle(6), random.Random(seed)
    state = game.initial_state()
    oracle.mover = state.random_playout(seed, plies) % 2
    oracle.board = [[cell - 1 for cell in row] for row in rows_of(state.draw(), ".xo")]
    while not oracle.terminal():
        move = rng.choice(oracle.legal())
        state.play(move)
        oracle.play(move)
        agree(state, oracle)


@pytest.mark.parametrize(("side", "sample"), [(3, 8000), (11, 2000)])
def test_playout_distribution(side, sample, same_distribution, uniform_choice):
    start = load(f"hex@{side}").initial_state()
    same_distribution(start, sample)
    start.play(side + 1)
    same_distribution(start, sample)
    uniform_choice(start, 20 * sample)


@pytest.mark.parametrize(("side", "depth"), [(2, 4), (3, 5), (11, 2)])
def test_keys(side, depth, keys_tell_positions):
    keys_tell_positions(load(f"hex@{side}"), Oracle(side), depth)


@pytest.mark.parametrize("spec", ["hex@1", "hex@20", "hex@5x6"])
def test_bad_sizes(spec):
    with pytest.raises(BadInput, match="square boards from 2x2 to 19x19"):
        load(spec)


@pytest.mark.parametrize("side", [2, 3, 4])
def test_the_distance_is_the_fewest_stones_that_join_the_edges(side: int) -> None:
    game = load(f"hex@{side}x{side}")
    for seed in range(40):
        draw = random.Random(seed)
        state, oracle = game.initial_state(), Oracle(side)
        for _ in range(draw.randrange(side * side)):
            if state.terminal:
                break
            move = draw.choice(state.legal(state.mover))
            state.play(move)
            oracle.play(move)
        for role in range(2):
            assert state.distance(role) == fewest(oracle, role), state


def fewest(oracle: Oracle, role: int) -> int:
    """Every choice of empty cells, small ones first."""
    side, empty = len(oracle.board), oracle.legal()
    for n in range(len(empty) + 1):
        for cells in combinations(empty, n):
            for cell in cells:
                oracle.board[cell // side][cell % side] = role
            joined = oracle.joined(role)
            for cell in cells:
                oracle.board[cell // side][cell % side] = -1
            if joined:
                return n
    return -1
