"""A match between GGP players at addresses.

Every player gets the same clock; what it does not answer in time, what cannot be read and what is not legal is replaced by a
uniformly random legal move, as the server of the papers does, and noted under the errors of the record. No player, however
broken, ends the match of the others.
"""

from __future__ import annotations

import contextlib
import http.client
import random
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from paidia.connect.ggp.messages import LONGEST_CLOCK, Abort, Message, MessageError, Play, Start, Stop, move_text
from paidia.connect.ggp.position import Position
from paidia.connect.ggp.record import GgpRecord
from paidia.connect.ggp.scramble import Scrambler
from paidia.core.errors import BadInput, PaidiaError
from paidia.core.game import Game
from paidia.core.text import printable
from paidia.games.gdl.language.kif import Sexpr, parse, write

__all__ = ["Address", "Host", "post", "read_address"]

GRACE = 0.5  # seconds beyond a clock for the way there and back
MOST_REPLY = 100_000  # bytes of an answer that are read


class Address(NamedTuple):
    """Where a player listens."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class _Answer(NamedTuple):
    text: str
    error: str


def read_address(text: str) -> Address:
    """`HOST:PORT`, or a port of this machine."""
    host, colon, port = text.strip().rpartition(":")
    if not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536) or (colon and not host):
        raise BadInput(f"{text!r} is no address; write HOST:PORT, such as localhost:9147")
    return Address(host or "127.0.0.1", int(port))


class Host:
    """Runs matches of one game.

    Args:
        game: The rules, ready to play.
        rules: The same rules as text for the players.
        start_clock: Seconds before the first move.
        play_clock: Seconds for each move.
        seed: Root of random moves and of scrambled names.
        scrambled: Whether players see other names.
        grace: Seconds beyond a clock after which an answer counts as late.
        fractions: Whether clocks may have fractions of a second: the protocol has none, but our own players understand them.

    Raises:
        BadInput: the protocol cannot say these clocks.
    """

    def __init__(
        self,
        game: Game,
        rules: Sequence[Sexpr],
        *,
        start_clock: float,
        play_clock: float,
        seed: int = 0,
        scrambled: bool = False,
        grace: float = GRACE,
        fractions: bool = False,
    ) -> None:
        for name, clock in (("start", start_clock), ("play", play_clock)):
            if not 0 < clock <= LONGEST_CLOCK or (not fractions and clock != int(clock)):
                raise BadInput(f"the {name} clock is a whole number of seconds from 1 to {LONGEST_CLOCK:g}, not {clock:g}")
        self.game, self.rules = game, tuple(rules)
        self.start_clock, self.play_clock, self.grace = start_clock, play_clock, grace
        self._random = random.Random(seed)
        self._scrambler = Scrambler(self.rules, self._random.getrandbits(64)) if scrambled else None

    def play(
        self,
        addresses: Sequence[Address],
        match_id: str,
        *,
        names: Sequence[str] = (),
        watch: Callable[[Position, list[str], list[str]], None] | None = None,
    ) -> GgpRecord:
        """Play one match; players sit in the order of the roles.

        Raises:
            BadInput: the number of players is not that of the roles.
        """
        game = self.game
        if len(addresses) != game.n_roles:
            roles = ", ".join(game.roles)
            raise BadInput(f"{game.id} has {game.n_roles} roles ({roles}): give that many players, not {len(addresses)}")
        position = Position(game)
        now = int(time.time() * 1000)
        record = GgpRecord(
            match_id=match_id,
            random_token=f"{self._random.getrandbits(128):032x}",
            start_time=now,
            start_clock=self.start_clock,
            play_clock=self.play_clock,
            scrambled=self._scrambler is not None,
            player_names=list(names) or [str(address) for address in addresses],
            states=[position.fluents()],
            state_times=[now],
        )
        late = self._start(addresses, match_id)
        moves: tuple[str, ...] | None = None
        while not position.state.terminal:
            message = Play(match_id, self._shown(moves))
            answers = _ask(addresses, [message] * game.n_roles, self.play_clock + self.grace)
            joint, errors = self._joint(position, answers)
            if late:  # what went wrong at the start is told with the first move
                errors, late = ["; ".join(filter(None, pair)) for pair in zip(late, errors, strict=True)], []
            position.play(joint)
            moves = tuple(joint)
            record.moves.append(list(joint))
            record.errors.append([printable(error, most=200) for error in errors])
            record.states.append(position.fluents())
            record.state_times.append(int(time.time() * 1000))
            if watch is not None:
                watch(position, list(joint), list(record.errors[-1]))
        _ask(addresses, [Stop(match_id, self._shown(moves))] * game.n_roles, self.play_clock + self.grace)
        record.goal_values = [round(100 * goal) for goal in position.state.goals]
        record.is_completed = True
        return record

    def abort(self, addresses: Sequence[Address], match_id: str) -> None:
        """Tell the players that the match is off."""
        _ask(addresses, [Abort(match_id)] * len(addresses), 2.0)

    def _start(self, addresses: Sequence[Address], match_id: str) -> list[str]:
        """What went wrong at each player, "" where nothing did."""
        rules = self.rules
        roles = [role.lower() for role in self.game.roles]
        if self._scrambler is not None:
            rules = tuple(self._scrambler.scramble(rule) for rule in rules)
            roles = [self._scrambler.word(role) for role in roles]
        messages = [Start(match_id, role, rules, self.start_clock, self.play_clock) for role in roles]
        answers = _ask(addresses, messages, self.start_clock + self.grace)
        return [
            answer.error or ("" if answer.text.strip().lower() == "ready" else f"not ready: {answer.text[:80]}")
            for answer in answers
        ]

    def _shown(self, moves: tuple[str, ...] | None) -> tuple[str, ...] | None:
        """Moves as the players are told them."""
        if moves is None or self._scrambler is None:
            return moves
        return tuple(write(self._scrambler.scramble(parse(move)[0])) for move in moves)

    def _joint(self, position: Position, answers: list[_Answer]) -> tuple[list[str], list[str]]:
        joint, errors = [], []
        for role, answer in enumerate(answers):
            legal = {name.lower(): name for name in position.legal(role)}
            move, error = "", answer.error
            if not error:
                try:
                    move = self._read_move(answer.text)
                except MessageError as problem:
                    error = str(problem)
            if not error and move not in legal:
                error = f"illegal move: {answer.text[:80]}"
            joint.append(self._random.choice(sorted(legal.values())) if error else legal[move])
            errors.append(error)
        return joint, errors

    def _read_move(self, text: str) -> str:
        try:
            sexprs = parse(text)
        except PaidiaError as error:
            raise MessageError(f"not a move: {error}") from None
        if len(sexprs) != 1:
            raise MessageError(f"not a move: {text[:80]!r}")
        sexpr = sexprs[0]
        return move_text(self._scrambler.unscramble(sexpr) if self._scrambler is not None else sexpr)


def _ask(addresses: Sequence[Address], messages: Sequence[Message], seconds: float) -> list[_Answer]:
    """Send every player its message at the same time and wait for the answers, `seconds` at most."""
    answers: list[_Answer | None] = [None] * len(addresses)
    deadline = time.monotonic() + seconds

    def ask(seat: int) -> None:
        try:
            answers[seat] = _Answer(post(addresses[seat], str(messages[seat]), deadline), "")
        except TimeoutError:
            answers[seat] = _Answer("", "timed out")
        except (OSError, http.client.HTTPException, ValueError) as error:
            answers[seat] = _Answer("", f"connection failed: {type(error).__name__}")
        except MessageError as error:
            answers[seat] = _Answer("", str(error))

    # Daemons, because a player that trickles its answer may hold its thread beyond the deadline.
    threads = [threading.Thread(target=ask, args=(seat,), daemon=True) for seat in range(len(addresses))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    return [answer or _Answer("", "timed out") for answer in answers]


def post(address: Address, text: str, deadline: float) -> str:
    """The answer to a message; `TimeoutError` after the deadline, `MessageError` where the answer is none."""
    left = max(deadline - time.monotonic(), 0.01)
    connection = http.client.HTTPConnection(address.host, address.port, timeout=left)
    watch: threading.Timer | None = None
    try:
        connection.connect()
        # The time-out of a socket is that of one piece: who sends a byte now and then would never be late.
        watch = threading.Timer(max(deadline - time.monotonic(), 0.01), _cut, (connection.sock,))
        watch.daemon = True
        watch.start()
        headers = {"Content-Type": "text/acl", "Sender": "GAMESERVER", "Receiver": "PLAYER"}
        connection.request("POST", "/", text.encode(), headers)
        response = connection.getresponse()
        body = response.read(MOST_REPLY)
        if time.monotonic() > deadline:
            raise TimeoutError
        reply = body.decode("utf-8", "replace").strip()
        if response.status != 200:
            raise MessageError(f"status {response.status}: {reply[:80]}")
        return reply
    except (OSError, http.client.HTTPException):
        if time.monotonic() > deadline:  # it was cut
            raise TimeoutError from None
        raise
    finally:
        if watch is not None:
            watch.cancel()
        connection.close()


def _cut(line: socket.socket) -> None:
    """Whoever reads from it finds its end."""
    with contextlib.suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
