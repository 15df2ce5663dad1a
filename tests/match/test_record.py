"""Records: the same bytes for the same seed, a replay to the same result, and no way to slip something in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from oracles.small_games import CountdownGame, DuelGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.game import Game
from paidia.core.player import Player
from paidia.games import load
from paidia.match.record import MatchRecord, replay
from paidia.match.referee import play_match
from paidia.players.registry import make_player

GAMES: list[Game] = [
    load("tic-tac-toe"), load("breakthrough@5x4"), load("connect4"), load("reversi@4x4"), load("go@4x4"),
    load("hex@4x4"), load("domineering@4x4"), DuelGame(), CountdownGame(3), CountdownGame(1),
]  # fmt: skip


def a_match(game: Game, *, seed: int = 3) -> MatchRecord:
    names = [("grave", "ppaf")[role % 2] for role in range(game.n_roles)]
    return play_match(game, [make_player(name) for name in names], seed=seed, budget=Budget(simulations=25)).record


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_record_goes_to_json_and_back_and_replays_to_the_same_end(game: Game) -> None:
    record = a_match(game)
    data = record.to_json()
    again = MatchRecord.from_json(data)
    assert again == record
    assert again.to_json() == data
    assert data.endswith(b"}\n")
    state = replay(again, game)
    assert state.terminal and state.goals == record.goals
    assert record.roles == list(game.roles) and record.game == game.id


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_same_seed_gives_the_same_bytes(game: Game) -> None:
    assert a_match(game).to_json() == a_match(game).to_json()


def test_another_seed_gives_another_match() -> None:
    assert a_match(load("connect4"), seed=1).moves != a_match(load("connect4"), seed=2).moves


SCRIPT = """
import sys
from paidia.core.budget import Budget
from paidia.games import load
from paidia.match.referee import play_match
from paidia.players.registry import make_player

for game in ("tic-tac-toe", "breakthrough@5x4", "connect4", "go@4x4"):
    for agents in (("grave", "ppaf"), ("nst", "progressive-history"), ("ucb1-tuned", "random")):
        players = [make_player(name) for name in agents]
        sys.stdout.buffer.write(play_match(load(game), players, seed=3, budget=Budget(simulations=25)).record.to_json())
"""


def test_another_process_gives_the_same_bytes() -> None:
    """With another hash seed each: nothing may depend on the order of a set."""
    outputs = [
        subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, check=True, env=_environment(seed)).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].count(b'"format"') == 12


def _environment(hash_seed: str) -> dict[str, str]:
    return {**os.environ, "PYTHONHASHSEED": hash_seed}


# ---------------------------------------------------------------- tampered with


def tampered(change: Callable[[dict[str, Any]], Any], game: str = "tic-tac-toe") -> bytes:
    document = json.loads(a_match(load(game)).to_json())
    change(document)
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda d: d.update(goals=d["goals"][::-1] if d["goals"][0] != 0.5 else [1, 0]), "the rules say"),
        (lambda d: d.update(goals=[1.0]), "the rules say"),
        (lambda d: d.update(goals=[*d["goals"], 0.0]), "the rules say"),
        (lambda d: d["moves"].pop(), "before the game is over"),
        (lambda d: d.update(moves=[]), "before the game is over"),
        (lambda d: d["moves"].append(d["moves"][0]), "step .*: tic-tac-toe: the game is over"),
        (lambda d: d["moves"].__setitem__(1, d["moves"][0]), "at step 1"),
        (lambda d: d["moves"].__setitem__(0, ["z9", None]), "at step 0: .*no move called 'z9'"),
        (lambda d: d["moves"].__setitem__(0, [None, None]), "at step 0: .*has to move"),
        (lambda d: d["moves"].__setitem__(0, []), "0 moves for 2 roles at step 0"),
        (lambda d: d["moves"].__setitem__(0, ["b2", None, None]), "3 moves for 2 roles"),
        (lambda d: d["moves"].__setitem__(0, [None] * 9 + ["zz"]), "10 moves for 2 roles"),
        (lambda d: d.update(roles=["x"]), "the record has roles x"),
        (lambda d: d.update(roles=["o", "x"]), "the record has roles o, x"),
        (lambda d: d.update(roles=d["roles"] * 9), "the record has roles"),
        (lambda d: d.update(ending="crash", goals=[1.0, 1.0]), "fault of role None"),
        (lambda d: d.update(ending="crash", fault=7), "fault of role 7"),
        (lambda d: d.update(ending="crash", fault=-1), "fault of role -1"),
        (lambda d: d.update(ending="crash", fault=0, goals=[1.0, 0.0]), r"the rules say \[0.0, 1.0\]"),
        (lambda d: d.update(ending="step limit", goals=[0.9, 0.1]), "the rules say"),
    ],
)
def test_a_record_that_does_not_fit_the_rules_is_refused(change: Callable[[dict[str, Any]], Any], complaint: str) -> None:
    record = MatchRecord.from_json(tampered(change))
    with pytest.raises(BadInput, match=complaint):
        replay(record, load("tic-tac-toe"))


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "mine.json is not a match record"),
        (b"null", "Expected `object`, got `null`"),
        (b"[]", "Expected `object`, got `array`"),
        (b"{}", "missing required field `game`"),
        (b"\xff\xfe", "not a match record"),
        (b'{"game": ' * 100_000, "not a match record"),
        (tampered(lambda d: d.update(format=3)), "has format 3; this version of paidia reads formats 1 and 2"),
        (tampered(lambda d: d.update(extra=1)), "unknown field `extra`"),
        (tampered(lambda d: d.update(moves="b2")), "Expected `array`, got `str`"),
        (tampered(lambda d: d.update(moves=[[1]])), "Expected `str | null`, got `int`"),
        (tampered(lambda d: d.update(seed="x")), "Expected `int`, got `str`"),
        (tampered(lambda d: d.update(ending="victory")), "Invalid enum value 'victory'"),
        (tampered(lambda d: d.pop("goals")), "missing required field `goals`"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_no_record_is_refused(data: bytes, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint.replace("|", r"\|")):
        MatchRecord.from_json(data, file="mine.json")


def test_a_record_of_another_game_is_refused() -> None:
    record = a_match(load("connect4"))
    with pytest.raises(BadInput):
        replay(record, load("tic-tac-toe"))


def test_a_match_with_a_fault_replays_up_to_it() -> None:
    class Gives(Player):
        name = "gives up"

        def act(self, state: Any, *, step: int, budget: Budget | None) -> Any:
            raise RuntimeError("enough")

    game = load("connect4")
    record = play_match(game, [make_player("random"), Gives()], seed=1).record
    assert (record.ending, record.fault, record.moves) == ("crash", 1, [])
    assert replay(MatchRecord.from_json(record.to_json()), game).key == game.initial_state().key
