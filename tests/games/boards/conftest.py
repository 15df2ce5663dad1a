"""What the tests of all boards share. An oracle is a slow and obvious player of the same rules with

mover (0 or 1), legal() -> move ids in the order of the rules, play(move), terminal() and goals().
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Hashable
from typing import Any

import pytest

from paidia.core.game import Game, State

SAMPLE = 8000


def _perft(state: State, depth: int) -> int:
    """Number of move sequences of this length."""
    if state.terminal:
        return 0
    mover = state.mover
    assert mover is not None
    moves = state.legal(mover)
    if depth == 1:
        return len(moves)
    total, child = 0, state.clone()
    for move in moves:
        child.copy_from(state)
        child.play(move)
        total += _perft(child, depth - 1)
    return total


def _agree(state: State, oracle: Any) -> None:
    """The state says about this position what the oracle says."""
    assert state.terminal == oracle.terminal()
    assert state.goals == oracle.goals()
    if state.terminal:
        assert state.mover is None
        assert state.legal(0) == state.legal(1) == []
    else:
        assert state.mover == oracle.mover
        assert state.legal(oracle.mover) == oracle.legal()
        assert state.legal(1 - oracle.mover) == []
        assert 0 < len(oracle.legal()) <= state.game.max_legal


def _walk(game: Game, oracle: Any, seed: int) -> int:
    """Play one random game on both, comparing all along; returns its length. Copies stay what they were."""
    rng, state, length = random.Random(seed), game.initial_state(), 0
    spare = game.initial_state()
    _agree(state, oracle)
    while not oracle.terminal():
        move = rng.choice(oracle.legal())
        assert game.move_id(oracle.mover, game.move_name(oracle.mover, move)) == move
        spare.copy_from(state)
        before = (spare.key, spare.draw(), spare.legal(oracle.mover))
        mover = oracle.mover
        state.play(move)
        oracle.play(move)
        assert (spare.key, spare.draw(), spare.legal(mover)) == before
        spare.play(move)
        assert (spare.key, spare.draw()) == (state.key, state.draw())
        _agree(state, oracle)
        length += 1
    return length


def _rows_of(text: str, symbols: str) -> list[list[int]]:
    """The cells of a drawing, lowest row first, each as its index in `symbols`."""
    lines = [line.split()[1:] for line in text.splitlines() if line.split()[0].isdigit()]
    return [[symbols.index(symbol) for symbol in line] for line in reversed(lines)]


def _uniform_choice(start: State, sample: int = SAMPLE) -> None:
    """The first move of the game's own playout is uniform over the legal ones."""
    stats = pytest.importorskip("scipy.stats", reason="the [report] extra brings scipy")
    state, seen = start.clone(), Counter()
    for move in start.legal(start.mover):
        state.copy_from(start)
        state.play(move)
        seen[state.key] = 0
    for seed in range(sample):
        state.copy_from(start)
        assert state.random_playout(104729 * seed + 3, 1) == 1
        seen[state.key] += 1
    assert len(seen) == len(start.legal(start.mover)) > 1
    assert stats.chisquare(list(seen.values())).pvalue > 0.001


def _same_distribution(start: State, sample: int = SAMPLE) -> None:
    """The game's own playout ends like the default one: chi-square over outcomes and lengths."""
    stats = pytest.importorskip("scipy.stats", reason="the [report] extra brings scipy")
    seen: list[Counter[Hashable]] = [Counter(), Counter()]
    state = start.clone()
    for seed in range(sample):
        for which in range(2):
            state.copy_from(start)
            playout = (state.random_playout, state.generic_playout)[which]
            length = playout(7919 * (2 * seed + which) + 1)
            assert state.terminal
            seen[which][length, tuple(state.goals)] += 1
    assert state.random_playout(1) == 0, "a finished game has nothing to play"
    # Neighbouring lengths with the same outcome share a cell until it is well filled.
    cells, cell = [], [0, 0]
    previous = None
    for length, goals in sorted(seen[0] | seen[1], key=lambda key: (key[1], key[0])):  # type: ignore[index]
        if previous is not None and (goals != previous or sum(cell) >= 200):
            cells.append(cell)
            cell = [0, 0]
        previous = goals
        cell = [cell[which] + seen[which][length, goals] for which in range(2)]
    cells.append(cell)
    cells = [cell for cell in cells if sum(cell) >= 10]
    assert len(cells) > 1
    assert stats.chi2_contingency(cells).pvalue > 0.001


def _same_draws(start: State, seeds: int = 500) -> None:
    """The game's own playout is the default one, move by move, under any limit."""
    one, two = start.clone(), start.clone()
    for seed in range(seeds):
        for limit in (100000, seed % 40):
            one.copy_from(start)
            two.copy_from(start)
            assert one.random_playout(seed, limit) == two.generic_playout(seed, limit)
            assert (one.draw(), one.key, one.goals, one.mover) == (two.draw(), two.key, two.goals, two.mover)
            if one.mover is not None:
                assert one.legal(one.mover) == two.legal(one.mover)
    assert one.random_playout(1, 0) == 0


def _keys_tell_positions(game: Game, oracle: Any, depth: int) -> None:
    """Two states have the same key if and only if the oracle has the same board and mover for them."""
    keys: dict[int, Hashable] = {}
    level = {repr(vars(oracle)): (game.initial_state(), oracle)}
    for _ in range(depth):
        children = {}
        for state, here in level.values():
            for move in here.legal() if not here.terminal() else ():
                child, there = state.clone(), copy.deepcopy(here)
                child.play(move)
                there.play(move)
                position = repr(vars(there))
                assert keys.setdefault(child.key, position) == position, "one key for two positions"
                children[position] = child, there
        level = children
    assert len(set(keys.values())) == len(keys) > depth, "two keys for one position"


@pytest.fixture(scope="session")
def perft() -> Callable[[State, int], int]:
    return _perft


@pytest.fixture(scope="session")
def agree() -> Callable[[State, Any], None]:
    return _agree


@pytest.fixture(scope="session")
def walk() -> Callable[[Game, Any, int], int]:
    return _walk


@pytest.fixture(scope="session")
def rows_of() -> Callable[[str, str], list[list[int]]]:
    return _rows_of


@pytest.fixture(scope="session")
def uniform_choice() -> Callable[..., None]:
    return _uniform_choice


@pytest.fixture(scope="session")
def same_distribution() -> Callable[..., None]:
    return _same_distribution


@pytest.fixture(scope="session")
def same_draws() -> Callable[..., None]:
    return _same_draws


@pytest.fixture(scope="session")
def keys_tell_positions() -> Callable[..., None]:
    return _keys_tell_positions
