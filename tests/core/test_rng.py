"""The generator of the kernels: literal values of SplitMix64, bounds, and a fair share for every number."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.splitmix import SplitMix
from paidia.core.game import Game
from paidia.core.python.python_game import PythonGame, PythonState


class Dice(PythonGame):
    """One role throws a die with n sides again and again: a window on the generator."""

    def __init__(self, sides: int) -> None:
        super().__init__("dice", ["thrower"], sides)

    def initial_state(self) -> Throws:
        return Throws(self)


class Throws(PythonState):
    def __init__(self, game: Game) -> None:
        self.seen: list[int | None] = []

    def legal_moves(self, role: int) -> Sequence[int]:
        return range(self.game.n_moves)

    def apply(self, joint: tuple[int | None, ...]) -> None:
        self.seen.append(joint[0])

    def is_terminal(self) -> bool:
        return False

    def goal_values(self) -> Sequence[float]:
        return [0.0]

    def assign(self, other: Any) -> None:
        self.seen = list(other.seen)

    def hash_key(self) -> tuple[int | None, ...]:
        return tuple(self.seen)


def throws(sides: int, seed: int, n: int) -> list[int | None]:
    state = Dice(sides).initial_state()
    assert state.generic_playout(seed, n) == n
    return state.seen


def test_the_values_of_the_paper_are_reproduced() -> None:
    """The first five of the reference implementation for the seed 1234567."""
    oracle = SplitMix(1234567)
    assert [oracle.next() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(st.integers(0, 2**64 - 1), st.integers(1, 3000))
def test_the_kernel_draws_what_the_oracle_draws(seed: int, sides: int) -> None:
    oracle = SplitMix(seed)
    assert throws(sides, seed, 20) == [oracle.below(sides) for _ in range(20)]


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**31))
def test_numbers_stay_below_their_bound(seed: int, bound: int) -> None:
    oracle = SplitMix(seed)
    assert all(0 <= oracle.below(bound) < bound for _ in range(20))
    assert all(0.0 <= oracle.double() < 1.0 for _ in range(20))


@pytest.mark.parametrize("sides", [2, 3, 7, 64, 100])
def test_every_number_has_its_share(sides: int) -> None:
    """Chi-square within five deviations of its mean; the seed is fixed, so this never fails by chance."""
    n = 200 * sides
    counts = Counter(throws(sides, 42, n))
    distance = sum((counts[side] - 200) ** 2 / 200 for side in range(sides))
    assert abs(distance - (sides - 1)) < 5 * math.sqrt(2 * (sides - 1))


def test_neighbouring_seeds_are_unrelated() -> None:
    """The first throw of 6000 seeds in a row is as fair as 6000 throws of one."""
    counts = Counter(throws(6, seed, 1)[0] for seed in range(6000))
    distance = sum((counts[side] - 1000) ** 2 / 1000 for side in range(6))
    assert distance < 5 + 5 * math.sqrt(10)
