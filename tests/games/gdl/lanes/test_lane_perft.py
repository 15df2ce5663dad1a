"""Perft in lanes against the scalar one, in all columns; rows against planes."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.gdl_sheets import SHEETS, sheet_of
from paidia.core.errors import BadInput
from paidia.games import load
from paidia.games.gdl.lanes import perft as module
from paidia.games.gdl.lanes.perft import lane_perft
from paidia.games.gdl.lanes.processor.positions import Positions, keys_of, list_bits
from paidia.games.gdl.lanes.processor.spread import gather, spread
from paidia.games.gdl.language.rules import parse_sheet
from paidia.games.gdl.load import load_file, load_game
from paidia.games.gdl.net.kernel import NetGame
from paidia.games.perft import perft

#: Sheets and depths: by turns and at once, one to three roles, passing, loops, steps that are counted, early ends.
REFERENCE = {
    "3pConnectFour": 5, "biddingTicTacToe": 5, "blocker": 2, "breakthroughSmall": 4, "buttons": 13, "checkers": 6, "chess_200": 3,
    "chineseCheckers3": 6, "chinook": 3, "connectFourSimultaneous": 3, "eightPuzzle": 13, "gt_prisoner": 13, "hanoi": 13,
    "lightsOn": 10, "linesOfAction": 2, "nim3": 3, "nineBoardTicTacToe": 4, "pentago": 5, "quad_7x7": 2, "reversi": 6,
    "roshambo2": 13, "sheepAndWolf": 13, "ticTacToe": 10, "tictactoe_3player": 4, "tron_10x10": 4, "ttcc4": 3,
}  # fmt: skip
#: Two roles with two moves each that change nothing: few states, many paths, no end.
RING = """
(role a) (role b)
(init (at 0))
(move one) (move two)
(<= (legal ?r ?m) (role ?r) (move ?m))
(<= (next (at 1)) (true (at 0)))
(<= (next (at 0)) (true (at 1)))
(<= terminal (true (at 2)))
(<= (next (at 2)) (true (at 2)))
(goal a 0) (goal b 0)
"""
OVER_AT_ONCE = """
(role a)
(init (here))
(<= (legal a go) (true (here)))
(<= (next (there)) (does a go))
(<= (next (here)) (true (there)))
(<= terminal (true (here)))
(<= (goal a 70) (true (here)))
(<= (goal a 0) (true (there)))
"""


def equal(game: NetGame, depth: int) -> None:
    wanted = perft(game, depth)
    assert lane_perft(game, depth, threads=1) == wanted
    assert lane_perft(game, depth, threads=3) == wanted


@pytest.mark.parametrize("name", SHEETS)
def test_small_sheets(name: str) -> None:
    game = load_game(sheet_of(name), name)
    assert isinstance(game, NetGame)
    equal(game, 5)


@pytest.mark.parametrize(("name", "depth"), REFERENCE.items())
def test_reference_sheets(name: str, depth: int, reference: Path) -> None:
    [path] = (reference / "gdl" / "base" / name).glob("*.kif")
    game = load_file(path)
    assert isinstance(game, NetGame)
    equal(game, depth)


@pytest.mark.parametrize(("name", "depth"), [("gdl:connect4", 7), ("gdl:breakthrough", 4), ("gdl:tic-tac-toe", 10)])
def test_library_sheets(name: str, depth: int) -> None:
    game = load(name)
    assert isinstance(game, NetGame)
    equal(game, depth)


def test_few_lanes_at_a_time_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BYTES", 1)
    game = load_game(sheet_of("push"), "push")
    assert lane_perft(game, 6, threads=2) == perft(game, 6)


def test_a_game_that_is_over_at_once() -> None:
    game = load_game(parse_sheet(OVER_AT_ONCE), "over")
    rows = lane_perft(game, 2)
    assert rows == perft(game, 2)
    assert rows[0] == {"depth": 0, "paths": 1, "states": 1, "terminal_paths": 1, "goal_sums": [70]}
    assert rows[2] == {"depth": 2, "paths": 0, "states": 0, "terminal_paths": 0, "goal_sums": [0]}


def test_counts_beyond_64_bits_are_refused_rather_than_wrong() -> None:
    game = load_game(parse_sheet(RING), "ring")
    rows = lane_perft(game, 31)
    assert rows == perft(game, 31) and rows[-1]["paths"] == 2**62
    for count in (perft, lane_perft):
        with pytest.raises(BadInput, match=r"^perft of ring to depth 32 counts more than 2\*\*64 paths"):
            count(game, 32)


def test_memory_is_bounded_and_said_in_the_same_words() -> None:
    game = load("gdl:breakthrough")
    for count in (perft, lane_perft):
        with pytest.raises(BadInput, match=r"^perft of gdl:breakthrough to depth 5 needs more than 1 MB; take a smaller depth"):
            count(game, 5, memory=1e6)
        with pytest.raises(BadInput, match="above 0"):
            count(game, 1, memory=0.0)
        with pytest.raises(BadInput, match="0 to 1000"):
            count(game, 1001)


def test_games_without_a_net_are_refused() -> None:
    with pytest.raises(BadInput, match="propositional net"):
        lane_perft(load("nogo"), 2)


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_it(threads: int) -> None:
    """Depth 13 of connect 4 would take half a minute and more."""
    game = load("gdl:connect4")
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            lane_perft(game, 13, memory=4e9, threads=threads)
    finally:
        timer.cancel()


@st.composite
def _rows(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int, int]:
    """Rows, which row each lane takes, bits, blocks."""
    n = draw(st.integers(1, 200))
    bits = draw(st.integers(1, 150))
    width = -(-bits // 8) + draw(st.integers(0, 3))
    rows = np.random.default_rng(draw(st.integers(0, 2**32))).integers(256, size=(n, width), dtype=np.uint8)
    of = np.array(draw(st.lists(st.integers(0, n - 1), min_size=0, max_size=300)), np.int32)
    return rows, of, bits, draw(st.integers(3, 4))


@given(_rows(), st.integers(0, 3))
def test_rows_become_planes_and_rows_again(case: tuple[np.ndarray, np.ndarray, int, int], first: int) -> None:
    rows, of, bits, blocks = case
    planes = np.full((blocks, first + bits + 2, 2), 7, np.uint64)
    gather(rows, of, planes, first, bits)
    wanted = np.unpackbits(rows, axis=1, bitorder="little")[of, :bits]
    for lane, row in enumerate(wanted):  # lane i is bit i % 64 of word i // 64
        block, word, bit = lane // 128, lane % 128 // 64, lane % 64
        assert [int(plane) >> bit & 1 for plane in planes[block, first : first + bits, word]] == row.tolist()
    inside = np.unpackbits(np.ascontiguousarray(planes.transpose(0, 2, 1)[..., first : first + bits]).view(np.uint8), axis=-1)
    assert inside.sum() == wanted.sum()  # other lanes have nothing
    assert (planes[:, :first] == 7).all() and (planes[:, first + bits :] == 7).all()
    packed = np.zeros((len(of), -(-bits // 8)), np.uint8)
    spread(planes, first, bits, packed, True, 0, blocks)
    assert (np.unpackbits(packed, axis=1, bitorder="little")[:, :bits] == wanted).all()
    loose = np.zeros((len(of), bits), np.uint8)
    spread(planes, first, bits, loose, False, 0, blocks)
    assert (loose == wanted).all()


def test_what_does_not_fit_is_refused() -> None:
    planes, rows = np.zeros((1, 4, 1), np.uint64), np.zeros((2, 1), np.uint8)
    for of, first, n in ((np.zeros(65, np.int32), 0, 4), (np.zeros(2, np.int32), 1, 4), (np.zeros(2, np.int32), 0, 9)):
        with pytest.raises(ValueError, match="do not fit"):
            gather(rows, of, planes, first, n)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 2**40)), max_size=200), st.integers(1, 3))
def test_equal_rows_become_one(pairs: list[tuple[int, int]], words: int) -> None:
    """Against a dictionary; every third number ends the game."""
    positions = Positions(words, kept=True, allowed=10**9)
    wanted: dict[int, int] = {}
    paths = ending = 0
    for cut in (slice(0, 100), slice(100, 200)):
        part = pairs[cut]
        rows = np.array([[number] * words for number, _ in part], np.uint64).reshape(len(part), words)
        keys = np.empty(len(part), np.uint64)
        keys_of(rows, keys)
        over = np.array([number % 3 == 0 for number, _ in part], np.uint8)
        more = positions.add(rows, keys, over, np.array([n for _, n in part], np.uint64), np.arange(len(part), dtype=np.int32))
        paths, ending = paths + more[0], ending + more[1]
        for number, n in part:
            wanted[number] = wanted.get(number, 0) + n
    going = {number: n for number, n in wanted.items() if number % 3}
    assert dict(zip(positions.rows[:, 0].tolist(), positions.paths.tolist(), strict=True)) == going
    assert (positions.n, positions.n_ended) == (len(going), len(wanted) - len(going))
    assert (paths, ending) == (sum(wanted.values()), sum(wanted.values()) - sum(going.values()))


@given(st.lists(st.sets(st.integers(0, 127)), max_size=20))
def test_bits_are_listed_in_order(rows: list[set[int]]) -> None:
    packed = np.zeros((len(rows), 2), np.uint64)
    for row, bits in enumerate(rows):
        for bit in bits:
            packed[row, bit // 64] |= np.uint64(1 << bit % 64)
    found, counts = list_bits(packed)
    assert found.tolist() == [bit for bits in rows for bit in sorted(bits)]
    assert counts.tolist() == [len(bits) for bits in rows]
