"""Perft against plain recursion and against known counts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Sequence
from typing import Any

import pytest

from paidia.core.errors import BadInput
from paidia.core.game import Game, State
from paidia.core.python.python_game import PythonGame, PythonState
from paidia.games import load
from paidia.games.perft import perft


def slow_perft(game: Game, depth: int) -> list[dict[str, Any]]:
    """Every path by itself, nothing remembered."""
    paths, ends = [0] * (depth + 1), [0] * (depth + 1)
    states: list[set[int]] = [set() for _ in range(depth + 1)]
    goals = [[0.0] * game.n_roles for _ in range(depth + 1)]

    def visit(state: State, at: int) -> None:
        paths[at] += 1
        states[at].add(state.key)
        if state.terminal:
            ends[at] += 1
            for role, goal in enumerate(state.goals):
                goals[at][role] += 100 * goal
        elif at < depth:
            lists = [state.legal(role) or [None] for role in range(game.n_roles)]
            for joint in itertools.product(*lists):
                child = state.clone()
                child.play(joint)
                visit(child, at + 1)

    visit(game.initial_state(), 0)
    return [
        {
            "depth": at,
            "paths": paths[at],
            "states": len(states[at]),
            "terminal_paths": ends[at],
            "goal_sums": [pytest.approx(goal) for goal in goals[at]],
        }
        for at in range(depth + 1)
    ]


class Duel(PythonGame):
    """Two roles name 0, 1 or 2 at once; a number that both name ends the game, else the lower total rises."""

    def __init__(self) -> None:
        super().__init__("duel", ["left", "right"], 3)

    def initial_state(self) -> DuelState:
        return DuelState(self)


class DuelState(PythonState):
    def __init__(self, game: Game) -> None:
        self.total = [0, 0]
        self.over = False

    def legal_moves(self, role: int) -> Sequence[int]:
        return [0, 1, 2][: 3 - self.total[role] % 2]

    def apply(self, joint: tuple[int | None, ...]) -> None:
        left, right = joint
        assert left is not None and right is not None
        self.over = left == right
        self.total[0] += left
        self.total[1] += right

    def is_terminal(self) -> bool:
        return self.over

    def goal_values(self) -> Sequence[float]:
        return [0.29, 0.71] if self.total[0] <= self.total[1] else [1.0, 0.0]

    def assign(self, other: Any) -> None:
        self.total = list(other.total)
        self.over = other.over

    def hash_key(self) -> Hashable:
        return (*self.total, self.over)


class Walk(PythonGame):
    """One role goes left or right on a ring, for ever: few states, many paths."""

    def __init__(self, n_moves: int = 2, fails_at: int = -1) -> None:
        super().__init__("walk", ["walker"], n_moves)
        self.fails_at = fails_at

    def initial_state(self) -> WalkState:
        return WalkState(self)


class WalkState(PythonState):
    def __init__(self, game: Game) -> None:
        self.place = 0

    def legal_moves(self, role: int) -> Sequence[int]:
        return range(self.game.n_moves)

    def apply(self, joint: tuple[int | None, ...]) -> None:
        assert joint[0] is not None and isinstance(self.game, Walk)
        self.place = (self.place + (1 if joint[0] % 2 else -1)) % 8
        if self.place == self.game.fails_at:
            raise RuntimeError("nobody walks here")

    def is_terminal(self) -> bool:
        return False

    def goal_values(self) -> Sequence[float]:
        return [0.0]

    def assign(self, other: Any) -> None:
        self.place = other.place

    def hash_key(self) -> Hashable:
        return self.place


class Stuck(WalkState):
    def legal_moves(self, role: int) -> Sequence[int]:
        return [] if self.place == 1 else [0, 1]


@pytest.mark.parametrize(
    ("game", "depth"),
    [
        ("atarigo@2x3", 6),
        ("atarigo-suicide@2", 4),
        ("nogo@3", 6),
        ("misere-nogo@2x3", 6),
        ("go@2", 4),
        ("breakthrough@4x3", 4),
        ("misere-knightthrough@4", 3),
    ],
)
def test_boards_agree_with_plain_recursion(game: str, depth: int) -> None:
    assert perft(load(game), depth) == slow_perft(load(game), depth)


def test_roles_that_move_at_once_agree_with_plain_recursion() -> None:
    rows = perft(Duel(), 4)
    assert rows == slow_perft(Duel(), 4)
    assert rows[1]["paths"] == 9 and rows[1]["terminal_paths"] == 3
    assert rows[1]["goal_sums"] == [87, 213] and all(isinstance(goal, int) for goal in rows[1]["goal_sums"])


@pytest.mark.parametrize(
    ("game", "paths"),
    [
        ("breakthrough", [1, 22, 484, 11132, 256036]),
        ("knightthrough", [1, 40, 1600, 63520]),
        ("atarigo", [1, 64, 4032, 249984]),
        ("nogo", [1, 64, 4032, 249976]),
    ],
)
def test_known_counts(game: str, paths: list[int]) -> None:
    assert [row["paths"] for row in perft(load(game), len(paths) - 1)] == paths


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "paths"),
    [("breakthrough", 6182818), ("knightthrough", 2521306), ("atarigo", 15248048), ("nogo", 15247072)],
)
def test_known_counts_of_the_last_printed_depth(game: str, paths: int) -> None:
    assert perft(load(game), 5 if game == "breakthrough" else 4)[-1]["paths"] == paths


def test_a_game_with_few_states_is_counted_deeply() -> None:
    row = perft(Walk(), 60)[-1]
    assert row == {"depth": 60, "paths": 2**60, "states": 4, "terminal_paths": 0, "goal_sums": [0]}


def test_counts_beyond_64_bits_are_refused_rather_than_wrong() -> None:
    assert perft(Walk(), 63)[-1]["paths"] == 2**63
    with pytest.raises(BadInput, match=r"more than 2\*\*64 paths"):
        perft(Walk(), 64)
    with pytest.raises(BadInput, match=r"more than 2\*\*64 paths"):
        perft(Walk(n_moves=10), 20)


def test_depth_zero_is_the_start() -> None:
    assert perft(load("nogo"), 0) == [{"depth": 0, "paths": 1, "states": 1, "terminal_paths": 0, "goal_sums": [0, 0]}]


def test_depths_beyond_the_end_are_empty() -> None:
    rows = perft(load("nogo@2"), 6)
    assert rows[-1] == {"depth": 6, "paths": 0, "states": 0, "terminal_paths": 0, "goal_sums": [0, 0]}
    ended = sum(row["terminal_paths"] for row in rows)
    assert math.isclose(sum(sum(row["goal_sums"]) for row in rows), 100 * ended)


@pytest.mark.parametrize("depth", [-1, 1001, 10**30])
def test_a_bad_depth_is_refused(depth: int) -> None:
    with pytest.raises(BadInput, match="0 to 1000"):
        perft(load("nogo"), depth)


def test_memory_is_bounded() -> None:
    with pytest.raises(BadInput, match="needs more than 1 MB"):
        perft(load("nogo"), 4, memory=1e6)
    for memory in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(BadInput, match="above 0"):
            perft(load("nogo"), 1, memory=memory)


def test_what_a_state_in_python_raises_comes_out() -> None:
    with pytest.raises(RuntimeError, match="nobody walks here"):
        perft(Walk(fails_at=3), 5)


def test_a_state_without_moves_ends_the_line() -> None:
    class StuckWalk(Walk):
        def initial_state(self) -> WalkState:
            return Stuck(self)

    assert [row["paths"] for row in perft(StuckWalk(), 3)] == [1, 2, 2, 4]
