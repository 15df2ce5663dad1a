"""Player and host over loopback, and everything a hostile client or player can send."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from paidia.cli.main import main
from paidia.connect.ggp.host import Address, Host, read_address
from paidia.connect.ggp.messages import Info, MessageError, Play, Start, Stop, read_message
from paidia.connect.ggp.player import GgpPlayer
from paidia.connect.ggp.record import GgpRecord
from paidia.connect.ggp.scramble import Scrambler
from paidia.connect.ggp.server import MOST_BYTES, PlayerServer
from paidia.core.errors import BadInput, PaidiaError
from paidia.games import load
from paidia.games.gdl.language.kif import parse, write
from paidia.games.gdl.library import LIBRARY
from paidia.testing.stopwatch import Stopwatch

GAMES = ["tic-tac-toe", "tron"]


@contextlib.contextmanager
def serving(server):
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield Address("127.0.0.1", server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def playing(agent="uct", **options):
    return serving(PlayerServer(GgpPlayer(agent), ("127.0.0.1", 0), **options))


def ask(address, text, *, timeout=20.0):
    """Send a message; status and reply."""
    connection = http.client.HTTPConnection(*address, timeout=timeout)
    try:
        connection.request("POST", "/", text if isinstance(text, bytes) else text.encode(), {"Content-Type": "text/acl"})
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def rules_of(id):
    return parse(LIBRARY.text(id))


def start(id="tic-tac-toe", *, match="m1", role="x", clocks=(2, 0.4)):
    return str(Start(match, role, tuple(rules_of(id)), *clocks))


def host_of(id, **options):
    return Host(
        load(f"gdl:{id}"), rules_of(id), **{"start_clock": 1.5, "play_clock": 0.3, "grace": 2.0, "fractions": True, **options}
    )


# ------------------------------------------------------------------------------------------------ matches


@pytest.mark.parametrize("scrambled", [False, True])
@pytest.mark.parametrize("id", GAMES)
def test_two_players_finish_a_match_without_errors(id, scrambled):
    with playing("uct") as one, playing("random") as two:
        record = host_of(id, scrambled=scrambled).play([one, two], "m1")
        for address in (one, two):
            assert "(status available)" in ask(address, "(INFO)")[1]
    assert record.is_completed and not record.is_aborted
    assert all(errors == ["", ""] for errors in record.errors)
    assert len(record.moves) == len(record.errors) == len(record.states) - 1
    state = load(f"gdl:{id}").initial_state()
    for joint in record.moves:
        state.play([state.game.move_id(role, move) if state.mover in (None, role) else None for role, move in enumerate(joint)])
    assert state.terminal
    assert record.goal_values == [round(100 * goal) for goal in state.goals]


def test_the_record_has_the_keys_that_ggp_tools_read():
    with playing("random") as one, playing("random") as two:
        document = json.loads(host_of("tic-tac-toe").play([one, two], "m1", names=["one", "two"]).to_json())
    assert set(document) == {
        "matchId",
        "randomToken",
        "startTime",
        "gameMetaURL",
        "isCompleted",
        "isAborted",
        "states",
        "moves",
        "stateTimes",
        "errors",
        "goalValues",
        "previewClock",
        "startClock",
        "playClock",
        "playerNamesFromHost",
        "isPlayerHuman",
        "scrambled",
    }
    assert document["matchId"] == "m1" and document["playerNamesFromHost"] == ["one", "two"]
    assert document["states"][0] == "( ( turn x ) )"
    assert document["moves"][0][1] == "noop" and document["moves"][0][0].startswith("( mark ")


def test_a_good_player_beats_a_random_one():
    with playing("uct") as good, playing("random") as bad:
        host = host_of("tic-tac-toe")
        goals = [host.play([good, bad], f"m{i}").goal_values[0] for i in range(3)]
    assert sum(goals) >= 200


class _BadPlayer(BaseHTTPRequestHandler):
    """Answers START well and everything else as the test says."""

    reply = b""
    wait = 0.0

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        reply = b"ready" if body.startswith(b"(START") else self.reply
        time.sleep(0 if reply == b"ready" else self.wait)
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(reply)

    def log_message(self, *args):
        pass


@pytest.mark.parametrize(
    ("reply", "wait", "error"),
    [
        (b"(mark 9 9)", 0, "illegal move"),
        (b"", 0, "not a move"),
        (b"((((", 0, "not a move"),
        (b"(" * 5000, 0, "not a move"),
        (b"\xff\xfe", 0, "illegal move"),
        (b"(?x)", 0, "not a move"),
        (b"noop noop", 0, "not a move"),
        (b"(mark 1 1)", 1.5, "timed out"),
    ],
)
def test_a_bad_player_gets_random_moves_and_the_match_goes_on(reply, wait, error):
    handler = type("Bad", (_BadPlayer,), {"reply": reply, "wait": wait})
    with playing("random") as good, serving(HTTPServer(("127.0.0.1", 0), handler)) as bad:
        record = host_of("tic-tac-toe", play_clock=0.2, grace=0.3).play([bad, good], "m1")
    assert record.is_completed
    own = [errors[0] for errors, joint in zip(record.errors, record.moves, strict=True) if joint[0] != "noop"]
    assert own and all(error in text for text in own)


def test_a_player_that_is_not_there_is_played_at_random():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nobody = Address("127.0.0.1", taken.getsockname()[1])
        with playing("random") as good:
            record = host_of("tic-tac-toe").play([nobody, good], "m1")
    assert record.is_completed
    assert all("connection failed" in errors[0] and errors[1] == "" for errors in record.errors)


def test_a_player_that_trickles_its_answer_is_cut():
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def trickle():
            with contextlib.suppress(OSError):
                while True:
                    client, _ = listener.accept()
                    threading.Thread(target=drip, args=(client,), daemon=True).start()

        def drip(client):
            with contextlib.suppress(OSError), client:
                client.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 50\r\n\r\n")
                while True:
                    client.sendall(b"a")
                    time.sleep(0.05)

        threading.Thread(target=trickle, daemon=True).start()
        slow = Address("127.0.0.1", listener.getsockname()[1])
        began = time.monotonic()
        with playing("random") as good:
            record = host_of("tic-tac-toe", start_clock=0.5, play_clock=0.1, grace=0.1).play([good, slow], "m1")
    assert record.is_completed
    assert time.monotonic() - began < 15
    assert all(errors[1] for errors in record.errors)


def test_the_wrong_number_of_players_is_an_error():
    with pytest.raises(BadInput, match="2 roles"):
        host_of("tic-tac-toe").play([Address("127.0.0.1", 1)], "m1")


@pytest.mark.parametrize("text", ["", "here", "host:", ":80", "host:0", "host:99999", "host:x", "1.2.3.4:-1"])
def test_broken_addresses_are_errors(text):
    with pytest.raises(BadInput, match="no address"):
        read_address(text)


def test_addresses():
    assert read_address("9147") == ("127.0.0.1", 9147)
    assert read_address(" some.host:80 ") == ("some.host", 80)


# ------------------------------------------------------------------------------------------------ the player


def test_the_protocol_of_one_match():
    with playing("random") as player:
        assert "(status available)" in ask(player, "( info )")[1]
        assert ask(player, start()) == (200, "ready")
        assert "(status busy)" in ask(player, "(INFO)")[1]
        assert ask(player, start(match="m2")) == (200, "busy")
        assert ask(player, "(PLAY m2 NIL)") == (200, "busy")
        status, move = ask(player, "(play m1 nil)")
        assert status == 200 and move.startswith("(mark ")
        again = ask(player, "(PLAY m1 NIL)")
        assert again[0] == 200
        assert ask(player, f"(PLAY m1 ({move.upper()} NOOP))") == (200, "noop")
        assert ask(player, "(ABORT m2)") == (200, "busy")
        assert ask(player, "(ABORT m1)") == (200, "aborted")
        assert ask(player, "(PLAY m1 NIL)") == (200, "busy")
        assert ask(player, start(match="m3", role="o")) == (200, "ready")
        assert ask(player, "(PLAY m3 NIL)") == (200, "noop")
        assert ask(player, "(STOP m3 ((mark 1 1) noop))") == (200, "done")
        assert ask(player, "(STOP m3 ((mark 1 1) noop))") == (200, "busy")
        assert ask(player, f"(PREVIEW ({' '.join(map(write, rules_of('tron')))}) 3)") == (200, "ready")


def test_clocks_are_kept():
    player, watch = GgpPlayer("uct"), Stopwatch()
    assert player.answer(read_message(start(clocks=(2, 1.6))), time.monotonic()) == "ready"
    assert watch.seconds < 2
    began, watch = time.monotonic(), Stopwatch()
    assert player.answer(Play("m1", None), began).startswith("(mark ")
    assert watch.seconds < 1.6 and time.monotonic() - began > 0.6


def test_a_match_whose_host_has_gone_makes_room():
    player = GgpPlayer("random")
    begin = read_message(start(clocks=(0.5, 0.1)))
    now = time.monotonic()
    assert player.answer(begin, now) == "ready"
    assert player.answer(read_message(start(match="m2")), now + 5) == "busy"
    assert player.answer(read_message(start(match="m2", clocks=(0.5, 0.1))), now + 1000) == "ready"
    assert player.answer(Play("m1", None), now + 1001) == "busy"


def test_rules_that_cannot_wait_for_a_net_are_interpreted():
    player = GgpPlayer("random")
    assert player.answer(read_message(start(clocks=(0, 0.1))), time.monotonic()) == "ready"
    assert player.answer(Play("m1", None), time.monotonic()).startswith("(mark ")


WRONG = [
    "",
    "INFO",
    "(INFO",
    ")",
    "()",
    "(())",
    "(HELLO)",
    "(START)",
    "(START m1)",
    "(START m1 x rules 1 1)",
    "(PLAY m1)",
    "(PLAY (m1) NIL)",
    "(PLAY m1 moves)",
    "(ABORT)",
    "(STOP m1)",
    "(PREVIEW (role x) soon)",
    "(START m1 x () 1 1)",
    "(START m1 x ((role x)) nan 1)",
    "(START m1 x ((role x)) -1 1)",
    "(START m1 x ((role x)) 1e9 1)",
    "(START m1 nobody ((role x)) 1 1)",
    "(START m1 x (((((role x)) 1 1)",
    "(" * 100_000,
    "(INFO) (INFO)",
    "(START m1 x ((role x) (<= (legal x ?m) (role x))) 1 1)",
    "(START m1 x ((role x) (<= p (not p))) 1 1)",
    "(START m1 x ((role x) (true y)) 1 1)",
    "(PLAY m1 (?x))",
    "\x00\x01\x02",
    "(INFO \ud7ff" + "\u2028)" * 3,
]


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_broken_messages_get_an_answer_and_the_player_lives(text):
    with playing("random") as player:
        status, reply = ask(player, text)
        assert (status == 400 and reply) or reply in ("busy", "ready")
        assert "Traceback" not in reply
        assert "(status available)" in ask(player, "(INFO)")[1] or reply == "ready"


@pytest.mark.parametrize(
    "moves", ["()", "(noop)", "(noop noop noop)", "((mark 9 9) noop)", "(noop (mark 1 1))", "((((a)))) noop)", "(x y)"]
)
def test_moves_that_do_not_fit_leave_the_match_as_it_was(moves):
    with playing("random") as player:
        assert ask(player, start())[1] == "ready"
        status, reply = ask(player, f"(PLAY m1 {moves})")
        assert status == 400 or moves == "()"  # an empty list is NIL
        status, reply = ask(player, "(PLAY m1 NIL)")
        assert status == 200 and reply.startswith("(mark ")


def raw(address, data, *, pause=0.0, timeout=5.0):
    """Send bytes as they are; what comes back until the other side closes."""
    with socket.create_connection(address, timeout=timeout) as connection:
        connection.sendall(data)
        time.sleep(pause)
        received = b""
        with contextlib.suppress(TimeoutError, ConnectionError):
            while chunk := connection.recv(4096):
                received += chunk
        return received


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"POST / HTTP/1.0\r\n\r\n", b"411"),
        (b"POST / HTTP/1.0\r\nContent-Length: many\r\n\r\n", b"411"),
        (b"POST / HTTP/1.0\r\nContent-Length: -5\r\n\r\n", b"411"),
        (f"POST / HTTP/1.0\r\nContent-Length: {MOST_BYTES + 1}\r\n\r\n".encode(), b"413"),
        (b"GET / HTTP/1.0\r\n\r\n", b"405"),
        (b"DELETE / HTTP/1.0\r\n\r\n", b"501"),
        (b"nonsense\r\n\r\n", b"400"),
        (b"POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\n\xff\xff", b"400"),
        (b"POST / HTTP/1.0\r\n" + b"X: y\r\n" * 500 + b"\r\n", b"431"),
    ],
)
def test_broken_requests(data, status):
    with playing("random") as player:
        assert status in raw(player, data)
        assert ask(player, "(INFO)")[0] == 200


def test_a_slow_client_is_cut_and_others_are_served():
    with playing("random", seconds_to_send=0.5) as player:
        clients = [socket.create_connection(player, timeout=5) for _ in range(5)]
        try:
            for client in clients:
                client.sendall(b"POST / HTTP/1.0\r\nContent-Length: 1000\r\n\r\n(IN")
            assert ask(player, "(INFO)")[0] == 200
            began = time.monotonic()
            for client in clients:  # a byte now and then does not help
                with contextlib.suppress(OSError):
                    client.sendall(b"F")
                assert client.recv(10) == b""
            assert time.monotonic() - began < 5
        finally:
            for client in clients:
                client.close()


def test_too_many_clients_do_not_stop_the_player():
    with playing("random", seconds_to_send=1.0) as player:
        clients = [socket.create_connection(player, timeout=5) for _ in range(40)]
        time.sleep(0.2)
        for client in clients:
            client.close()
        time.sleep(0.3)
        assert ask(player, "(INFO)")[0] == 200


def test_a_second_message_while_thinking_is_answered_busy():
    with playing("uct") as player:
        assert ask(player, start(clocks=(1, 1.5)))[1] == "ready"
        replies = []
        first = threading.Thread(target=lambda: replies.append(ask(player, "(PLAY m1 NIL)")))
        first.start()
        time.sleep(0.3)
        assert ask(player, "(PLAY m1 NIL)") == (200, "busy")
        assert "(status busy)" in ask(player, "(INFO)")[1]
        first.join()
        assert replies[0][1].startswith("(mark ")


# ------------------------------------------------------------------------------------------------ messages, names, records


@pytest.mark.parametrize(
    "message",
    [Info(), Play("m", None), Play("m", ("(mark 1 1)", "noop")), Stop("m", ("a", "b")), read_message(start())],
)
def test_messages_survive_their_text(message):
    assert read_message(str(message)) == message


def test_messages_in_other_spellings():
    assert read_message("( Play  M1 ( ( mark 1 1 ) ( noop ) ) )") == Play("M1", ("(mark 1 1)", "noop"))
    with pytest.raises(MessageError):
        read_message("(PLAY m1 NIL) x")


@pytest.mark.parametrize("id", GAMES)
def test_scrambled_rules_are_the_same_game_in_other_words(id):
    rules = rules_of(id)
    scrambler = Scrambler(rules, 7)
    others = [scrambler.scramble(rule) for rule in rules]
    assert [scrambler.unscramble(rule) for rule in others] == rules
    assert "mark" not in " ".join(map(write, others)).split()
    assert {word for rule in others for word in write(rule).replace("(", " ").replace(")", " ").split()} & {"legal", "<="}


def test_an_unfinished_record_has_no_goals():
    record = GgpRecord(
        match_id="m", random_token="t", start_time=1, start_clock=1, play_clock=1, player_names=["a"], scrambled=False
    )
    assert "goalValues" not in json.loads(record.to_json())


# ------------------------------------------------------------------------------------------------ commands


def run(*arguments):
    try:
        main([str(argument) for argument in arguments])
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_the_host_command(tmp_path, capsys):
    file = tmp_path / "match.json"
    with playing("random") as one, playing("random") as two:
        arguments = ["--players", f"{one},{two}", "--start-clock", "2", "--play-clock", "1"]
        assert run("host", "tic-tac-toe", *arguments, "--record", file, "--json", "--seed", "1") == 0
    document = json.loads(capsys.readouterr().out)
    assert document == json.loads(file.read_text())
    assert document["isCompleted"] and sum(document["goalValues"]) == 100


@pytest.mark.parametrize(
    "arguments",
    [
        ["host", "nonesuch", "--players", "1,2"],
        ["host", "missing.kif", "--players", "1,2"],
        ["host", "tic-tac-toe", "--players", "1"],
        ["host", "tic-tac-toe", "--players", "a,b"],
        ["host", "tic-tac-toe", "--players", "1,2", "--play-clock", "0"],
        ["host", "tic-tac-toe", "--players", "1,2", "--match-id", "(x"],
        ["serve", "--agent", "nonesuch"],
        ["serve", "--port", "70000"],
        ["serve", "--bind", "256.1.1.1"],
        ["serve", "--margin", "-1"],
    ],
)
def test_bad_commands(arguments, capsys):
    assert run(*arguments) == 2
    assert capsys.readouterr().err.startswith("paidia: ")


def test_the_player_listens_to_this_machine_only_unless_told():
    import inspect

    from paidia.cli.commands import serve

    assert inspect.signature(serve.run).parameters["bind"].default == "127.0.0.1"


def test_a_taken_port_is_an_error():
    with playing("random") as player, pytest.raises(PaidiaError, match="cannot listen"):
        PlayerServer(GgpPlayer("random"), player).server_close()
