"""The engine that other programs ask by JSON lines, engines as players, and players that register themselves."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import paidia
from paidia.cli.main import main
from paidia.connect.engine import Engine
from paidia.connect.engine_player import EnginePlayer, engine_agent
from paidia.connect.ggp.host import Address
from paidia.connect.ggp.player import GgpPlayer
from paidia.connect.ggp.registration import Registration, announce
from paidia.connect.ggp.server import PlayerServer
from paidia.core.errors import BadInput

COMMAND = f"{sys.executable} -m paidia engine"


def ask(*requests: Any, workers: int = 1) -> list[dict[str, Any]]:
    """All answers to some requests."""
    told: list[dict[str, Any]] = []
    Engine(told.append, workers=workers).run([r if isinstance(r, str) else json.dumps(r) for r in requests])
    return told


def test_an_analysis_is_the_search_of_the_agent() -> None:
    (told,) = ask({"id": "a", "game": "connect4", "moves": ["d", "d"], "agent": "grave", "sims": 700, "seed": 3})
    state = paidia.load("connect4").initial_state()
    state.play(3)
    state.play(3)
    found = paidia.search(state, "grave", sims=700, seed=3)
    assert told["best"] == state.game.move_name(0, found.move or 0)
    assert {row["move"]: row["visits"] for row in told["moves"]} == {
        state.game.move_name(0, r.move): r.visits for r in found.moves
    }
    assert told["simulations"] == 700 and not told["running"] and told["role"] == "red"
    assert told["line"][0] == told["best"] and len(told["line"]) > 1
    for name in told["line"]:
        state.play(state.game.move_id(state.mover or 0, name))


def test_it_tells_what_it_finds_while_it_searches_and_stops_when_asked() -> None:
    told: list[dict[str, Any]] = []

    def lines() -> Any:
        yield json.dumps({"id": "long", "game": "breakthrough", "time": 60, "every": 0.1})
        while len(told) < 3:
            time.sleep(0.01)
        yield json.dumps({"action": "stop", "id": "long"})

    began = time.monotonic()
    Engine(told.append).run(lines())
    assert time.monotonic() - began < 40
    assert [answer["running"] for answer in told[:3]] == [True] * 3
    assert told[-1]["stopped"] and not told[-1]["running"] and told[-1]["best"]
    assert told[0]["simulations"] < told[1]["simulations"] < told[-1]["simulations"]


def test_several_positions_and_several_queries_at_once() -> None:
    texts = ["7/7/7/7/7/7 red -", "7/7/7/7/7/3x3 yellow -"]
    told = ask(
        {"id": "two", "game": "connect4", "positions": texts, "sims": 100},
        {"id": "video", "game": "vgdl:vine", "sims": 50, "agent": "maastcts2"},
        {"id": "both", "game": "gdl:tron", "moves": [["up", "down"]], "sims": 50, "agent": "uct", "role": 1},
        workers=2,
    )
    assert [(t["index"], t["role"]) for t in told if t["id"] == "two"] == [(0, "red"), (1, "yellow")]
    assert {t["id"] for t in told} == {"two", "video", "both"} and all("error" not in t for t in told)


def test_what_cannot_be_answered_is_told_and_the_engine_goes_on() -> None:
    told = ask(
        "nonsense",
        "[1]",
        "",
        {"action": "dance", "id": 1},
        {"id": "a", "game": "connect4"},
        {"id": "b", "game": "connect4", "sims": 5, "simz": 5},
        {"id": "c", "game": "conect4", "sims": 5},
        {"id": "d", "game": "connect4", "sims": 5, "position": "7/7 red -"},
        {"id": "e", "game": "connect4", "sims": 5, "moves": ["z"]},
        {"id": "f", "game": "connect4", "sims": 5, "agent": "nobody"},
        {"id": "g", "game": "tic-tac-toe", "sims": 5, "position": "xxx/oo1/3 o x"},
        {"id": "last", "game": "connect4", "sims": 5},
        {"id": "last", "game": "connect4", "sims": 5},
        {"action": "version", "id": "v"},
    )
    errors = {answer["id"]: answer["error"] for answer in told if "error" in answer}
    assert "malformed" in told[0]["error"] and "object" in told[1]["error"] and "dance" in errors[1]
    assert "sims or time" in errors["a"] and "simz" in errors["b"] and "did you mean" in errors["c"]
    assert (
        "6 rows" in errors["d"] and "no move called" in errors["e"] and "unknown agent" in errors["f"] and "over" in errors["g"]
    )
    assert "not answered yet" in errors["last"]
    assert {"id": "v", "version": paidia.__version__, "protocol": 1} in told
    assert any(answer.get("best") for answer in told if answer["id"] == "last")


def test_quit_ends_it_at_once_and_the_command_speaks_the_same() -> None:
    lines = [{"id": "a", "game": "connect4", "sims": 50}, {"id": "b", "game": "breakthrough", "time": 500}]
    process = subprocess.Popen([*COMMAND.split(), "--workers", "2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None and process.stdout is not None
    for line in lines:
        process.stdin.write(json.dumps(line) + "\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == "a"
    process.stdin.write('{"action":"quit"}\n')
    process.stdin.close()
    assert process.wait(20) == 0
    process.stdout.close()


def test_an_engine_is_an_agent_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "engine.toml").write_text(
        f'summary = "engine"\nworld = "any"\nkind = "paidia.connect.engine_player:EnginePlayer"\n'
        f'[planner]\ncommand = "{COMMAND}"\nagent = "uct"\n'
    )
    for game in ("connect4@4x5", "gdl:tic-tac-toe"):
        assert sum(paidia.play(game, [str(tmp_path / "engine.toml"), "random"], sims=20, seed=1).goals) == 1
    for wrong, told in (({"command": ""}, "needs the command"), ({"command": "x", "simz": 1}, "no entry simz")):
        with pytest.raises(BadInput, match=told):
            EnginePlayer("e", engine_agent(**wrong))  # type: ignore[arg-type]
    missing = EnginePlayer("e", engine_agent("/no/such/engine"))
    with pytest.raises(BadInput, match="cannot start"):
        game = paidia.load("connect4")
        missing.begin(game, 0, state=game.initial_state(), seed=0, budget=None)


def test_players_register_themselves_and_the_host_plays_with_them(tmp_path: Path) -> None:
    with Registration(("127.0.0.1", 0)) as waiting, PlayerServer(GgpPlayer("random", margin=0.1), ("127.0.0.1", 0)) as server:
        port = int(server.server_address[1])
        seats: list[str] = []
        thread = threading.Thread(target=lambda: seats.append(announce("a b(c)", port, Address("127.0.0.1", waiting.port))))
        thread.start()
        assert waiting.wait(1, 10) == [("a-b-c-", Address("127.0.0.1", port))]
        thread.join()
        assert seats == ["1"]
    with Registration(("127.0.0.1", 0)) as waiting, pytest.raises(BadInput, match="only 0 of 2"):
        waiting.wait(2, 0.2)
    with pytest.raises(BadInput, match="cannot be reached"):
        announce("x", 1, Address("127.0.0.1", 9))


@pytest.mark.parametrize("body", [b"(REGISTER x)", b"nonsense", b"(REGISTER x 99999)", b"(REGISTER <b> 80)", b"x" * 500])
def test_what_is_no_registration_is_refused(body: bytes) -> None:
    import http.client

    with Registration(("127.0.0.1", 0)) as waiting:
        waiting.wanted = 1
        thread = threading.Thread(target=waiting.handle_request)
        thread.start()
        connection = http.client.HTTPConnection("127.0.0.1", waiting.port, timeout=10)
        connection.request("POST", "/", body)
        assert connection.getresponse().status == 400
        connection.close()
        thread.join()
        assert waiting.came == []


def test_the_command_hosts_an_engine_and_a_player_that_registers(capsys: pytest.CaptureFixture[str]) -> None:
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    serve = [sys.executable, "-m", "paidia", "serve", "--agent", "random", "--port", "0", "--margin", "0.1"]
    player: subprocess.Popen[bytes] | None = None
    hosted = threading.Event()

    def come() -> None:
        nonlocal player
        while not hosted.is_set():  # who comes before the host listens is sent away, and comes again
            if player is None or player.poll() is not None:
                player = subprocess.Popen([*serve, "--register", f"127.0.0.1:{port}"], stderr=subprocess.DEVNULL)
            hosted.wait(0.2)

    thread = threading.Thread(target=come)
    thread.start()
    try:
        clocks = ["--start-clock", "15", "--play-clock", "2"]
        main(["host", "tic-tac-toe", "--engine", COMMAND, "--register", str(port), *clocks, "--json"])
    finally:
        hosted.set()
        thread.join()
        if player is not None:
            player.terminate()
            player.wait()
    record = json.loads(capsys.readouterr().out)
    assert record["playerNamesFromHost"] == ["engine1", "paidia-random"] and sum(record["goalValues"]) == 100
    assert [error for errors in record.get("errors", []) for error in errors if error] == []
