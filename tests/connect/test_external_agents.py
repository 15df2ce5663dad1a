"""Players that are not ours, named like agents: over the GGP protocol, as an engine, as a bot of OpenSpiel."""

from __future__ import annotations

import os
import re
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from paidia.connect import engine_player
from paidia.connect.ggp.host import Address, post
from paidia.connect.ggp.player import GgpPlayer
from paidia.connect.ggp.server import PlayerServer
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.games import load
from paidia.match.clocks import turn_clocks
from paidia.match.referee import play_match
from paidia.players.registry import load_agent, make_player

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def address() -> Iterator[str]:
    """A player of the protocol that answers at once."""
    with PlayerServer(GgpPlayer("random", margin=0.1), ("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join(5)


@pytest.mark.parametrize("id", ["gdl:tic-tac-toe", "gdl:tron"])
def test_a_ggp_player_sits_at_our_table(address: str, id: str) -> None:
    """In turn and at the same time; it is told every joint move, or it would answer with what is not legal."""
    game = load(id)
    seats = [make_player("random"), make_player(f"ggp:{address}")]
    result = play_match(game, seats, seed=1, clocks=turn_clocks(Budget(seconds=5.0)))
    assert result.record.ending == "terminal" and result.record.agents[1] == f"ggp:{address}"


def test_a_ggp_player_that_is_not_there_loses_and_says_why() -> None:
    game = load("gdl:tic-tac-toe")
    result = play_match(game, [make_player("random"), make_player("ggp:127.0.0.1:9")], clocks=turn_clocks(Budget(seconds=1.0)))
    assert result.record.fault == 1 and "cannot be reached" in result.record.message


@pytest.mark.parametrize(
    ("game", "budget", "reason"),
    [
        ("gdl:tic-tac-toe", Budget(simulations=10), "needs a clock"),
        ("connect4", Budget(seconds=1.0), "no rule sheet"),
    ],
)
def test_what_a_ggp_player_cannot_play(game: str, budget: Budget, reason: str) -> None:
    assert reason in (make_player("ggp:127.0.0.1:9").cannot_play(load(game), budget) or "")


def test_an_engine_is_named_by_its_command() -> None:
    agent = load_agent("engine:paidia engine")
    assert agent.kind == "paidia.connect.engine_player:EnginePlayer" and agent.planner == {"command": "paidia engine"}


@pytest.mark.parametrize("bot", ["uniform_random", "mcts"])
def test_a_bot_of_openspiel_sits_at_our_table(bot: str) -> None:
    pytest.importorskip("pyspiel")
    result = play_match(load("tic-tac-toe"), [make_player("uct"), make_player(f"bot:{bot}")], budget=Budget(simulations=10))
    assert result.record.ending == "terminal"


@pytest.mark.parametrize(("id", "complaint"), [("ggp:", "address"), ("ggp:nowhere", "no address"), ("engine: ", "command")])
def test_a_wrong_name_is_told(id: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        make_player(id)


ENGINES = {
    "whose child keeps its pipes open": ("sh -c 'sleep 60; true'", "it has ended, or was too late"),
    "that ends at once": ("true", "cannot play"),
    "that says what is no answer": ("sh -c 'read line; echo [2]'", "Expected `object`"),
    "that never ends its line": ("sh -c 'yes | tr -d \"\\\\n\"'", "it says too much"),
    "that never stops talking": ("yes {}", "it says too much"),
    "of a command that cannot be read": ("sh -c 'x", "No closing quotation"),
    "of a command with a character that none can have": ("a\0b", "cannot start the engine"),
}


@pytest.mark.skipif(os.name != "posix", reason="commands of a POSIX shell")
@pytest.mark.parametrize("kind", ENGINES)
def test_a_hostile_engine_is_refused_in_time(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    command, complaint = ENGINES[kind]
    monkeypatch.setattr(engine_player, "PATIENCE", 0.3)
    began = time.monotonic()
    with pytest.raises(BadInput, match=re.escape(complaint)):
        play_match(load("tic-tac-toe"), [make_player(f"engine:{command}"), make_player("random")], budget=Budget(simulations=5))
    assert time.monotonic() - began < 30  # not the minute that the child sleeps


def test_an_engine_that_falls_silent_loses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also where simulations are counted and no clock runs; what it says is not printed raw."""
    monkeypatch.setattr(engine_player, "LONGEST", 0.5)
    program = tmp_path / "engine.py"
    program.write_text(
        "import json, sys, time\n"
        "for number, line in enumerate(sys.stdin):\n"
        "    time.sleep(60 * (number > 1))\n"
        "    print(json.dumps({'id': json.loads(line)['id'], 'best': 'a1'}), flush=True)\n"
    )
    seats = [make_player(f"engine:{sys.executable} {program}"), make_player("random")]
    result = play_match(load("tic-tac-toe"), seats, budget=Budget(simulations=5))
    assert (result.record.ending, result.record.fault) == ("crash", 0)
    assert "gave no move: it has ended, or was too late" in result.record.message


def test_a_ggp_player_that_trickles_its_answer_is_late() -> None:
    """Each byte comes in time, the answer never."""
    line = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def trickle() -> None:
        call, _ = line.accept()
        with call:
            call.recv(1 << 16)
            call.sendall(b"HTTP/1.0 200 OK\r\n")
            while not over.wait(0.05):
                try:
                    call.sendall(b"x: y\r\n")
                except OSError:
                    return

    thread = threading.Thread(target=trickle, daemon=True)
    thread.start()
    try:
        with pytest.raises(TimeoutError):
            post(Address("127.0.0.1", line.getsockname()[1]), "(info)", time.monotonic() + 0.4)
    finally:
        over.set()
        thread.join(5)
        line.close()
