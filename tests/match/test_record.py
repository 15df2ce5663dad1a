"""Records: the same bytes for the same seed, a replay to the same result, and no way to slip something in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from oracles.small_games import CountdownGame, DuelGame
from paidia.connect.ggp.position import Position
from paidia.connect.ggp.record import GgpRecord
from paidia.connect.ggp.replayed import is_ggp_record, read_ggp_record
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.game import Game
from paidia.core.player import Player
from paidia.games import load, load_as
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
from paidia.connect.ggp.position import Position
from paidia.connect.ggp.record import GgpRecord
from paidia.connect.ggp.replayed import is_ggp_record, read_ggp_record
from paidia.core.budget import Budget
from paidia.games import load, load_as
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
        (tampered(lambda d: d.update(format=4)), "has format 4; this version of paidia reads formats 1 to 3"),
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


def test_all_that_is_needed_to_repeat_a_match(tmp_path: Path) -> None:
    """The definition with `--set`, budget, signature parts and root statistics; a changed record is told from the match."""
    file = tmp_path / "match.json"

    def paidia(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "paidia", "play", *map(str, arguments)]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
        )

    settings = ("--set", "C=0.7", "--set", "2:playout=mast")
    done = paidia("connect4@5x4", "--agents", "uct,grave", "--sims", 40, "--seed", 9, *settings, "--record", file, "--json")
    assert done.returncode == 0, done.stderr
    record = MatchRecord.from_json(file.read_bytes())
    told = json.loads(done.stdout)["details"]
    assert told == msgspec.to_builtins(record.details) and record.details is not None
    first, second = record.details.definitions
    assert first is not None and second is not None
    assert first["parameters"]["C"] == second["parameters"]["C"] == 0.7
    assert (first["search"]["playout"], second["search"]["playout"]) == ("uniform", "mast")
    assert record.details.settings == [{"C": 0.7}, {"C": 0.7, "playout": "mast"}]
    assert record.details.moves == [{"simulations": 40, "seconds": 0.0}] and set(record.details.signature) == {"board"}
    roots = record.details.roots
    assert len(roots) == len(record.moves)
    for step, (names, own) in enumerate(zip(record.moves, roots, strict=True)):
        for role, name in enumerate(names):
            found = own[role]
            if record.simulations[step][role]:
                assert found is not None and sum(row.visits for row in found) >= 39
                assert name in {row.move for row in found}
    again = paidia("--repeat", file)
    assert again.returncode == 0 and "the same match" in again.stdout, again.stderr
    other = msgspec.json.decode(file.read_bytes())
    other["seed"] = 10
    (tmp_path / "other.json").write_bytes(msgspec.json.encode(other))
    changed = paidia("--repeat", tmp_path / "other.json")
    assert changed.returncode == 1 and "another match: step" in changed.stdout
    other["details"]["moves"] = [{"simulations": 0, "seconds": 0.1}]
    (tmp_path / "other.json").write_bytes(msgspec.json.encode(other))
    assert paidia("--repeat", tmp_path / "other.json").returncode == 2
    assert "does not say who" in paidia("--repeat", _without_details(other, tmp_path)).stderr


def _without_details(record: dict[str, object], folder: Path) -> Path:
    file = folder / "plain.json"
    file.write_bytes(msgspec.json.encode({**record, "details": None}))
    return file


@pytest.mark.parametrize("game", ["gdl:tic-tac-toe", "gdl:tron"])
def test_a_match_of_a_host_opens_in_play(game: str, tmp_path: Path) -> None:
    rules = load_as(Game, game)
    position, host = Position(rules), GgpRecord(
        match_id="m", random_token="t", start_time=0, start_clock=1, play_clock=1, player_names=["a[/b]"] * rules.n_roles,
        scrambled=False,
    )  # fmt: skip
    while not position.state.terminal:
        joint = [position.legal(role)[0] for role in range(rules.n_roles)]
        host.states.append(position.fluents())
        host.moves.append(joint)
        position.play(joint)
    host.goal_values = [round(100 * goal) for goal in position.state.goals]
    data = host.to_json()
    record = read_ggp_record(data, rules)
    assert is_ggp_record(data) and replay(record, rules).terminal
    assert record.goals == position.state.goals and len(record.moves) == len(host.moves)
    assert not is_ggp_record(b"[1]") and not is_ggp_record(b"{") and not is_ggp_record(record.to_json())
    wrong = msgspec.json.decode(data)
    wrong["moves"][0][0] = "( fly to the moon )"
    with pytest.raises(BadInput, match="does not fit the rules"):
        read_ggp_record(msgspec.json.encode(wrong), rules)
    with pytest.raises(BadInput, match="match of a GDL game"):
        read_ggp_record(data, load_as(Game, "connect4"))
