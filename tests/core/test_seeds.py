"""Seeds: spawned along a path, the same everywhere and forever."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paidia.core.errors import BadInput
from paidia.core.seeds import spawn

PATHS = st.lists(st.integers(0, 2**32 - 1), max_size=4).map(tuple)


def test_the_values_are_the_same_on_every_machine_and_in_every_version() -> None:
    assert [spawn(0), spawn(0, 0), spawn(0, 1), spawn(1), spawn(2**70, 3, 4)] == LITERALS


@given(st.integers(0, 2**128), PATHS)
def test_a_seed_is_a_64_bit_number_and_depends_on_nothing_else(seed: int, path: tuple[int, ...]) -> None:
    assert 0 <= spawn(seed, *path) < 2**64
    assert spawn(seed, *path) == spawn(seed, *path)


@given(st.integers(0, 2**64), PATHS, PATHS)
def test_other_paths_give_other_seeds(seed: int, one: tuple[int, ...], other: tuple[int, ...]) -> None:
    assert (spawn(seed, *one) == spawn(seed, *other)) == (one == other)


def test_matches_seats_and_turns_of_an_experiment_never_share_a_seed() -> None:
    seeds = [spawn(*path) for path in itertools.product(range(4), range(30), range(4), range(10))]
    seeds += [spawn(root, match) for root in range(4) for match in range(1000)]
    assert len(set(seeds)) == len(seeds)


def test_neighbouring_paths_share_no_bits() -> None:
    """Of two independent 64-bit numbers 32 bits agree on average; over 1000 pairs 31.5 to 32.5."""
    agree = [64 - (spawn(5, match) ^ spawn(5, match + 1)).bit_count() for match in range(1000)]
    assert 31.5 < sum(agree) / len(agree) < 32.5


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(BadInput, match="0 or larger, not -1"):
        spawn(-1)


LITERALS = [
    15793235383387715774, 8668861027912758289, 4881901421217228719,
    7434755675892716031, 12669768281334919734,
]  # fmt: skip
