"""Guided leaf routines: choices among preferred moves, by the slow interpreter of programs and the rules themselves."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

import paidia
from paidia.games.gdl.lanes.compile.build import build_leaves, build_program
from paidia.games.gdl.lanes.slow import run_routine

SHEETS = ["gdl:connect4", "gdl:breakthrough", "gdl:battle", "gdl:chinese-checkers-3"]
WORDS = 8  # of 32 lanes


def bits(planes: Any) -> Any:
    """(planes, lanes) of 0 and 1."""
    return np.unpackbits(np.ascontiguousarray(planes).view(np.uint8), axis=1, bitorder="little")


def started(program: Any, rng: Any) -> Any:
    planes = np.zeros((program.leaf.n_planes, WORDS), np.uint32)
    for fluent, holds in enumerate(program.initial):
        planes[fluent] = 0xFFFFFFFF if holds else 0
    planes[program.n_fluents : program.over_plane] = rng.integers(2**32, size=(program.n_random, WORDS), dtype=np.uint32)
    return planes


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("taste", [0, 0xFFFFFFFF])
def test_who_likes_all_or_nothing_plays_as_without_taste(name: str, taste: int) -> None:
    game = paidia.load(name)
    plain, guided = build_program(game), build_leaves(game, guided=True)
    assert guided.n_tastes == guided.n_moves and plain.n_tastes == 0
    rng = np.random.default_rng(1)
    one, other = started(plain, rng), np.zeros((guided.leaf.n_planes, WORDS), np.uint32)
    for _ in range(6):
        other[: guided.over_plane] = one[: plain.over_plane]
        other[guided.over_plane : guided.leaf_over] = taste
        run_routine(plain.leaf, one)
        run_routine(guided.leaf, other)
        assert (one[: plain.n_fluents] == other[: plain.n_fluents]).all()
        assert (one[plain.over_plane] == other[guided.leaf_over]).all()
        one[plain.n_fluents : plain.over_plane] = rng.integers(2**32, size=(plain.n_random, WORDS), dtype=np.uint32)


@pytest.mark.parametrize("name", SHEETS)
def test_moves_made_are_legal_and_preferred_where_they_can_be(name: str) -> None:
    game = paidia.load(name)
    program = build_leaves(game, guided=True)
    rng = np.random.default_rng(2)
    planes = started(program, rng)
    tastes = rng.integers(2**32, size=(program.n_tastes, WORDS), dtype=np.uint32)
    tastes &= rng.integers(2**32, size=tastes.shape, dtype=np.uint32)  # a quarter of the moves
    planes[program.over_plane : program.leaf_over] = tastes
    likes = bits(tastes)
    states = [game.initial_state() for _ in range(32 * WORDS)]
    first = [0, *np.cumsum([len(moves) for moves in program.moves])]
    seen = 0
    for _ in range(5):
        run_routine(program.leaf, planes)
        made = bits(planes[program.made_planes.first : program.made_planes.end])
        for lane, state in enumerate(states):
            if state.terminal:
                continue
            joint: list[int | None] = []
            for role in range(game.n_roles):
                mine = np.flatnonzero(made[first[role] : first[role + 1], lane])
                legal = [program.moves[role].index(game.move_name(role, move)) for move in state.legal(role)]
                if not legal:  # it waits: what it makes is no choice
                    joint.append(None)
                    continue
                assert len(mine) == 1 and mine[0] in legal
                liked = [move for move in legal if likes[first[role] + move, lane]]
                assert not liked or mine[0] in liked
                seen += bool(liked)
                joint.append(game.move_id(role, program.moves[role][mine[0]]))
            state.play(joint)
        random = rng.integers(2**32, size=(program.n_random, WORDS), dtype=np.uint32)
        planes[program.n_fluents : program.over_plane] = random
    assert seen > 100
    facts = bits(planes[: program.n_fluents])
    for lane, state in enumerate(states):
        if not state.terminal:
            now = {program.fluents[fluent] for fluent in np.flatnonzero(facts[:, lane])}
            assert now <= set(state.fluents())


@pytest.mark.parametrize("name", ["gdl:connect4", "gdl:breakthrough"])
def test_preferred_moves_are_equally_likely(name: str) -> None:
    game = paidia.load(name)
    program = build_leaves(game, guided=True)
    state = game.initial_state()
    legal = [program.moves[0].index(game.move_name(0, move)) for move in state.legal(0)]
    liked = legal[::2]
    rng = np.random.default_rng(3)
    counts: dict[int, int] = dict.fromkeys(legal, 0)
    for _ in range(20):
        planes = started(program, rng)
        for move in liked:
            planes[program.over_plane + move] = 0xFFFFFFFF
        run_routine(program.leaf, planes)
        made = bits(planes[program.made_planes.first : program.made_planes.end])
        for move in legal:
            counts[move] += int(made[move].sum())
    n = 20 * 32 * WORDS
    for move in legal:
        share = 1 / len(liked) if move in liked else 0.0
        assert abs(counts[move] - n * share) <= 5 * (n * share * (1 - share)) ** 0.5


def test_what_is_learned_is_what_happened(three_above_each_other: Any) -> None:
    state = three_above_each_other
    leaves = state.game.leaves(1, 0.02)
    assert not leaves.history.any()
    means = leaves.means([state], seed=1, limit=1)
    names = [state.game.move_name(0, move) for move in range(state.game.n_moves)]
    visits, sums = leaves.history
    mine = {names[move]: (visits[move], sums[move]) for move in state.legal(0)}
    assert sum(n for n, _ in mine.values()) == 1024  # every lane has made one move, and waits for no other
    won, total = mine["(drop 1)"]
    assert won == total  # it wins
    assert sum(total for _, total in mine.values()) == pytest.approx(1024 * means[0][0])


def test_tastes_follow_the_formula(three_above_each_other: Any) -> None:
    """Against the chances of all 2^7 tastes, from the formula of the module's docstring."""
    state, tau = three_above_each_other, 0.4
    leaves = state.game.leaves(1, tau)
    leaves.means([state], seed=1, limit=1)
    moves = state.legal(0)
    before = leaves.history
    role_mean = sum(before[1][move] for move in moves) / sum(before[0][move] for move in moves)
    chance = {}
    for move in moves:
        mean = before[1][move] / before[0][move]
        chance[move] = int(256 / (1 + math.exp((role_mean - mean) / tau))) / 256
    expected = dict.fromkeys(moves, 0.0)
    for taste in itertools.product((False, True), repeat=len(moves)):
        likely = math.prod(chance[move] if likes else 1 - chance[move] for move, likes in zip(moves, taste, strict=True))
        liked = [move for move, likes in zip(moves, taste, strict=True) if likes] or moves
        for move in liked:
            expected[move] += likely / len(liked)
    counts = dict.fromkeys(moves, 0.0)
    waves = 30
    for seed in range(waves):
        fresh = state.game.leaves(1, tau)
        fresh.means([state], seed=1, limit=1)
        fresh.means([state], seed=100 + seed, limit=1)
        for move in moves:
            counts[move] += fresh.history[0][move] - before[0][move] / 2  # what was known before counts half by then
    n = 1024 * waves
    assert sum(counts.values()) == n
    for move in moves:
        share = expected[move]
        assert abs(counts[move] - n * share) <= 5 * math.sqrt(n * share * (1 - share))
    assert expected[moves[0]] > 1.5 / len(moves)
