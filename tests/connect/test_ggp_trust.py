"""What a GGP player owes its hosts: it ends at once when it is told to, hears others, and uses its time."""

from __future__ import annotations

import logging
import socket
import threading
import time
from pathlib import Path

import pytest

from connect.test_ggp import ask, host_of, playing, rules_of, serving, start
from oracles.gdl_large import chess
from paidia.cli.main import main
from paidia.connect.ggp import building
from paidia.connect.ggp.host import Address, Host
from paidia.connect.ggp.messages import MessageError, Play, Stop, read_message
from paidia.connect.ggp.player import GgpPlayer
from paidia.connect.ggp.server import MOST_CLIENTS, PlayerServer
from paidia.core.errors import BadInput, RuleError
from paidia.games import load
from paidia.games.gdl.interpreter.interpreter import InterpretedGame
from paidia.games.gdl.load import load_net
from paidia.games.gdl.net.kernel import NetGame
from paidia.testing.stopwatch import Stopwatch


def in_background(address: Address, text: str) -> tuple[threading.Thread, list[tuple[int, str]]]:
    replies: list[tuple[int, str]] = []
    thread = threading.Thread(target=lambda: replies.append(ask(address, text, timeout=60.0)), daemon=True)
    thread.start()
    return thread, replies


@pytest.mark.parametrize("word", ["ABORT m1", "STOP m1 NIL"])
def test_an_end_ends_the_thinking_at_once(word: str) -> None:
    with playing("uct") as player:
        assert ask(player, start(clocks=(1, 30)))[1] == "ready"
        thread, _ = in_background(player, "(PLAY m1 NIL)")
        time.sleep(0.3)
        began = time.monotonic()
        assert ask(player, f"({word})")[1] in ("aborted", "done")
        thread.join(5.0)
        assert not thread.is_alive() and time.monotonic() - began < 3.0
        assert "(status available)" in ask(player, "(INFO)")[1]


def test_an_abort_ends_the_start_clock_and_the_building_at_once() -> None:
    with playing("uct") as player:
        for text in (start(clocks=(60, 1)), f"(START m1 white ({chess()}) 60 1)"):
            thread, replies = in_background(player, text)
            time.sleep(0.7)
            began = time.monotonic()
            assert ask(player, "(ABORT m1)")[1] == "aborted"
            thread.join(10.0)
            assert replies == [(200, "aborted")] and time.monotonic() - began < 5.0


def test_pairs_of_start_and_abort_leave_it_free() -> None:
    with playing("uct") as player:
        threads = []
        for i in range(MOST_CLIENTS + 4):
            thread, _ = in_background(player, start(match=f"m{i}", clocks=(60, 1)))
            threads.append(thread)
            while "(status busy)" not in ask(player, "(INFO)")[1]:  # until the message has arrived
                time.sleep(0.01)
            assert ask(player, f"(ABORT m{i})")[1] == "aborted"
        began = time.monotonic()
        assert ask(player, start(match="real", clocks=(2, 1)))[1] == "ready"
        assert time.monotonic() - began < 4.0
        for thread in threads:
            thread.join(10.0)
            assert not thread.is_alive()


def test_connections_that_say_nothing_shut_nobody_out() -> None:
    with playing("random", seconds_to_send=30.0) as player:
        idle = [socket.create_connection(player) for _ in range(3 * MOST_CLIENTS)]
        for connection in idle[::2]:
            connection.sendall(b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n(INF")
        for _ in range(5):
            assert ask(player, "(INFO)", timeout=5.0)[0] == 200
        for connection in idle:
            connection.close()


def test_a_move_that_fits_ends_the_thinking_about_the_one_before() -> None:
    with playing("uct") as player:
        assert ask(player, start(clocks=(1, 20)))[1] == "ready"
        thread, _ = in_background(player, "(PLAY m1 NIL)")
        time.sleep(0.3)
        assert ask(player, "(PLAY m1 NIL)")[1] == "busy"
        assert ask(player, "(PLAY m1 ((mark 9 9) noop))")[1] == "busy"
        began = time.monotonic()
        assert ask(player, "(PLAY m1 ((mark 1 1) noop))")[1] == "noop"
        thread.join(5.0)
        assert time.monotonic() - began < 3.0


def test_a_net_that_comes_late_takes_over(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    gate = threading.Event()

    def slowly(sheet: object, id: str) -> object:
        gate.wait(20.0)
        return load_net(sheet, id)  # type: ignore[arg-type]

    monkeypatch.setattr(building, "load_net", slowly)
    player = GgpPlayer("uct")
    now = time.monotonic()
    assert player.answer(read_message(start("connect4", role="yellow", clocks=(0.5, 0.3))), now) == "ready"
    match = player._match
    assert match is not None and match.position is not None and isinstance(match.position.game, InterpretedGame)
    first = player.answer(Play("m1", None), time.monotonic())
    gate.set()
    assert match.building is not None
    match.building._thread.join(20.0)
    with caplog.at_level(logging.INFO, logger="paidia"):
        assert player.answer(Play("m1", (first, "noop")), time.monotonic()) == "noop"
    assert "takes over after 1 moves" in caplog.text
    assert isinstance(match.position.game, NetGame)
    reference = load("gdl:connect4").initial_state()
    reference.play([reference.game.move_id(0, first), None])
    assert match.position.fluents() == reference.fluents()  # type: ignore[union-attr]
    assert player.answer(Play("m1", ("noop", "(drop 1)")), time.monotonic()).startswith("(drop")
    assert player.answer(Stop("m1", None), time.monotonic()) == "done"


def test_pondering_uses_the_turns_of_others() -> None:
    for ponder, least, most in ((False, 0.0, 0.4), (True, 0.5, 2.0)):
        player = GgpPlayer("uct", settings={"ponder": ponder})
        assert player.answer(read_message(start(role="o", clocks=(0.5, 1))), time.monotonic()) == "ready"
        began, watch = time.monotonic(), Stopwatch()
        assert player.answer(Play("m1", None), began) == "noop"
        assert watch.seconds < most and least <= time.monotonic() - began


def test_rules_are_checked_and_clocks_bounded() -> None:
    player = GgpPlayer("random")
    rules = "(role x) (<= (legal x go) (role x)) (<= (goal x 100) (role x))"
    with pytest.raises(RuleError, match="no rule for `terminal`"):
        player.answer(read_message(f"(START m1 x ({rules}) 1 1)"), time.monotonic())
    assert "available" in player.answer(read_message("(INFO)"), time.monotonic())
    with pytest.raises(MessageError, match="between 0 and 3600"):
        read_message(f"(START m1 x ({rules}) 3601 1)")


@pytest.mark.parametrize("clock", [0.5, 0.0, 3601.0, float("nan")])
def test_a_host_says_what_the_protocol_can_say(clock: float) -> None:
    with pytest.raises(BadInput, match="whole number of seconds"):
        Host(load("gdl:tic-tac-toe"), rules_of("tic-tac-toe"), start_clock=5, play_clock=clock)
    with pytest.raises(SystemExit) as stopped:
        main(["host", "tic-tac-toe", "--players", "1,2", "--play-clock", str(clock)])
    assert stopped.value.code == 2


ESCAPE = "\x1b]0;gone\x07\x1b[2J"


def test_text_of_the_network_is_never_printed_raw(caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]) -> None:
    with caplog.at_level(logging.DEBUG, logger="paidia"), playing("random") as player:
        ask(player, start(match=f"m{ESCAPE}", clocks=(1, 1)))
        ask(player, f"(START m2 {ESCAPE} ((role {ESCAPE}) (<= (legal {ESCAPE} ?x) (role x))) 1 1)")
        _, text = ask(player, f"(PLAY {ESCAPE} ({ESCAPE}))")
    assert "\x1b" not in caplog.text and "\x07" not in caplog.text and caplog.text
    assert "\x1b" not in text


def test_a_players_answer_is_not_printed_raw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    class Rude(GgpPlayer):
        def answer(self, message: object, arrived: float) -> str:
            return ESCAPE

    def send_raw(self: object, status: int, text: str) -> None:
        body = text.encode()
        self.send_response(status)  # type: ignore[attr-defined]
        self.send_header("Content-Length", str(len(body)))  # type: ignore[attr-defined]
        self.end_headers()  # type: ignore[attr-defined]
        self.wfile.write(body)  # type: ignore[attr-defined]

    server = PlayerServer(Rude("random"), ("127.0.0.1", 0))
    server.RequestHandlerClass = type("Raw", (server.RequestHandlerClass,), {"_reply": send_raw})
    file = tmp_path / "record.json"
    with serving(server) as rude, playing("random") as good:
        players = f"{rude.host}:{rude.port},{good.host}:{good.port}"
        main(["host", "tic-tac-toe", "--players", players, "--start-clock", "1", "--play-clock", "1", "--record", str(file)])
        record = host_of("tic-tac-toe").play([rude, good], "m9")
    told = capsys.readouterr()
    assert "\x1b]" not in told.err + told.out and "\x07" not in told.err + told.out and "gone" in told.err
    assert all("\x1b" not in error for errors in record.errors for error in errors)
