"""The games of the library: known counts, and the same game as the reference sheet of the same name."""

from __future__ import annotations

import gzip
import json
import math
from functools import cache

import pytest

from paidia.games import load
from paidia.games.gdl.conform import _check_perft
from paidia.games.gdl.library import LIBRARY
from paidia.games.gdl.load import load_file
from paidia.games.gdl.net.kernel import NetState
from paidia.games.perft import perft
from paidia.testing import check_game

REFERENCE = {
    "battle": "battle",
    "breakthrough": "breakthrough",
    "checkers": "checkers",
    "chinese-checkers-3": "chineseCheckers3",
    "chinese-checkers-4": "chineseCheckers4",
    "chinook": "chinook",
    "connect4": "connect4",
    "connect5": "connect5",
    "eight-puzzle": "eightPuzzle",
    "knightthrough": "knightThrough",
    "pentago": "pentago",
    "quad": "quad_7x7",
    "reversi": "reversi",
    "sheep-and-wolf": "sheepAndWolf",
    "skirmish": "skirmish",
    "tic-tac-toe": "ticTacToe",
    "tic-tac-toe-3d": "tictactoe_3d_2player",
    "tron": "tron_10x10",
    "ttcc4-2p": "ttcc4_2player",
    "ttcc4-3p": "ttcc4",
}
SLOW_TO_LOAD = {"battle", "checkers", "reversi", "skirmish"}  # the reference sheets, not ours


@cache
def game_of(id):
    return load(f"gdl:{id}")


HIDDEN = {"monty-hall", "coin-guess", "blind-tic-tac-toe", "high-card"}  # GDL-II: tests/games/gdl/test_hidden.py


def test_every_game_has_a_reference():
    assert set(LIBRARY.ids()) == set(REFERENCE) | HIDDEN


@pytest.mark.parametrize("id", sorted(REFERENCE))
def test_it_is_played_by_a_net_and_told_in_words(id):
    assert isinstance(game_of(id).initial_state(), NetState)
    assert LIBRARY.summary(id).endswith((".", ")"))
    info = LIBRARY.info(id)
    assert info.roles == list(game_of(id).roles)


@pytest.mark.parametrize("id", sorted(REFERENCE))
def test_it_keeps_the_contract(id):
    check_game(game_of(id), walks=2, playouts=20)


@pytest.mark.parametrize("id", sorted(REFERENCE))
def test_perft_is_that_of_the_reference(reference, id):
    path = reference / "gdl" / "golden" / f"{REFERENCE[id]}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = [record for record in map(json.loads, lines) if record["type"] == "perft"]
    records = [record for record in records if record["paths"] <= 20_000]
    assert len(records) > 1
    for id_, agrees, message in _check_perft(id, game_of(id), records):
        assert agrees, f"{id_}: {message}"


def test_tic_tac_toe_has_the_known_number_of_games():
    rows = perft(game_of("tic-tac-toe"), 9)
    assert [row["terminal_paths"] for row in rows] == [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872]


def sample(game, n):
    """Length and goals of random playouts."""
    rows = []
    for seed in range(1, n + 1):
        state = game.initial_state()
        rows.append([state.random_playout(seed), *state.goals])
    return list(zip(*rows, strict=True))


@pytest.mark.parametrize("id", sorted(set(REFERENCE) - SLOW_TO_LOAD))
def test_random_playouts_are_like_those_of_the_reference(reference, id):
    rules = next((reference / "gdl" / "base" / REFERENCE[id]).glob("*.kif"))
    n = 400
    for ours, theirs in zip(sample(game_of(id), n), sample(load_file(rules), n), strict=True):
        gap = sum(ours) / n - sum(theirs) / n
        spread = sum((x - sum(ours) / n) ** 2 for x in ours) + sum((x - sum(theirs) / n) ** 2 for x in theirs)
        assert abs(gap) <= 4.5 * math.sqrt(spread) / n + 1e-9, (id, gap)
