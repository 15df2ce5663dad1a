"""A player in a process of its own: whatever it does there, this process loses a match at most.

The child (`experiment/child.py`) loads the game by its id and makes the player; memory, core files and the size of files it
writes are limited by the operating system. Messages are MessagePack of known types, each after its length; nothing that comes
from the child is ever unpickled. A call that lasts longer than its clock and `time_limit` ends the child, with all processes of
its group. It is no jail: the child has the rights of the user who started it, for files and network.

In games without chance the child follows the match by its joint moves; otherwise it gets an image of what the player may see.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import weakref
from typing import Any

import msgspec

from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.errors import IllegalMove, PaidiaError
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision
from paidia.core.text import printable
from paidia.players.agent_player import AgentPlayer
from paidia.players.definition import AgentDefinition

__all__ = ["Answer", "Call", "Channel", "IsolatedPlayer", "PlayerLost"]

#: Bytes of the largest message; a trajectory of a long match has some 100 kB.
MOST_BYTES = 16_000_000

#: Seconds that a child may take to start and to load its game, beyond its `time_limit`.
TO_START = 60.0


class PlayerLost(PaidiaError):
    """A player in a process of its own raised an error, died, or had to be ended."""


class Call(msgspec.Struct, array_like=True):
    """What the child is asked. Moves are names: the two processes may number them differently.

    Attributes:
        method: "make", "cannot_play", "begin", "act", "end" or "trajectory".
        options: What the method takes, as plain data.
        moves: Joint moves since the last call.
        image: The state, where moves do not lead to it.
    """

    method: str
    options: dict[str, Any] = {}
    moves: list[list[str | None]] = []
    image: bytes | None = None


class Answer(msgspec.Struct, array_like=True):
    """What it answers: an error's text, or a value. Of `act` the name of the move, simulations, value and notes."""

    error: str = ""
    value: Any = None


class Channel:
    """One end of the line between the two."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def send(self, message: msgspec.Struct, deadline: float | None = None) -> None:
        """Send a message; `TimeoutError` if the other end does not take it in time."""
        data = msgspec.msgpack.encode(message)
        if len(data) > MOST_BYTES:
            raise ValueError(f"a message of {len(data):,} bytes is too large")
        self._wait(deadline)
        self._end.sendall(len(data).to_bytes(4, "little") + data)

    def receive(self, deadline: float | None = None) -> bytes:
        """The bytes of the next message; `EOFError` if there is nobody, `TimeoutError` if there is nothing."""
        size = int.from_bytes(self._read(4, deadline), "little")
        if size > MOST_BYTES:
            raise ValueError(f"a message of {size:,} bytes is too large")
        return self._read(size, deadline)

    def close(self) -> None:
        """Hang up."""
        self._end.close()

    def _read(self, size: int, deadline: float | None) -> bytes:
        data = bytearray()
        while len(data) < size:
            self._wait(deadline)
            more = self._end.recv(min(size - len(data), 1 << 20))
            if not more:
                raise EOFError
            data += more
        return bytes(data)

    def _wait(self, deadline: float | None) -> None:
        if deadline is None:
            self._end.settimeout(None)
            return
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._end.settimeout(left)


class _Child:
    """The process of one player."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "paidia.experiment.child", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._channel = Channel(ours)

    def ask(self, call: Call, seconds: float) -> Any:
        """The value of the answer; `PlayerLost` in every other case."""
        deadline = time.monotonic() + seconds
        try:
            self._channel.send(call, deadline)
            answer = msgspec.msgpack.decode(self._channel.receive(deadline), type=Answer)
        except TimeoutError:
            self.kill()
            raise PlayerLost(f"its process did not answer for {seconds:g} s and was ended") from None
        except (EOFError, OSError):
            how = self._how()
            self.kill()  # what it has started may still be there
            raise PlayerLost(f"its process died{how}") from None
        except (ValueError, msgspec.MsgspecError, RecursionError):
            self.kill()
            raise PlayerLost("its process answered with something that cannot be read") from None
        if answer.error:
            raise PlayerLost(printable(answer.error))
        return answer.value

    def _how(self) -> str:
        try:
            code = self._process.wait(2.0)
        except subprocess.TimeoutExpired:
            return " (it hung up)"
        if code >= 0:
            return f" (exit code {code})"
        try:
            return f" ({signal.Signals(-code).name})"
        except ValueError:
            return f" (signal {-code})"

    def kill(self) -> None:
        """End it and what it started, at once."""
        with contextlib.suppress(OSError):  # its group is gone when the last of it is
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._channel.close()


class IsolatedPlayer(AgentPlayer):
    """Our end of such a player; its process starts when it is first asked something, and ends with this object."""

    def __init__(self, name: str, definition: AgentDefinition) -> None:
        super().__init__(name, definition)
        self._child: _Child | None = None
        self._game: Rules | None = None
        self._moves: list[list[str | None]] = []

    def cannot_play(self, game: Rules, budget: Budget | None) -> str | None:
        """See `Player`; the child says it, or what keeps it from saying."""
        try:
            self._start(game)
            reason = self._ask(Call("cannot_play", {"budget": msgspec.to_builtins(budget)}), None)
        except PlayerLost as error:
            return f"cannot play {game.id} in a process of its own: {error}"
        return None if reason is None else printable(str(reason))

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        """See `Player`."""
        self._start(game)
        self._role, self._moves = role, []
        options = {"role": role, "seed": seed, "budget": msgspec.to_builtins(budget)}
        self._ask(Call("begin", options, image=state.image()), budget)

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        """See `Player`."""
        moves, self._moves = self._moves, []
        options = {"step": step, "budget": msgspec.to_builtins(budget)}
        answer = self._ask(Call("act", options, moves=moves, image=state.image()), budget)
        try:
            move, simulations, value, notes = answer
        except (TypeError, ValueError):
            raise PlayerLost("its process answered with something that is no decision") from None
        if isinstance(move, str):
            try:
                move = state.game.move_id(self._role, move)
            except IllegalMove:
                move = None if len(move) > 200 else f"move {printable(move)}"
        return Decision(move, simulations, value, notes)

    def played(self, joint: list[int | None]) -> None:
        """See `Player`."""
        if self._game is not None and not self._game.chance:
            name = self._game.move_name
            self._moves.append([None if move is None else name(role, move) for role, move in enumerate(joint)])

    def end(self, goals: list[float], *, score: float | None = None) -> None:
        """See `Player`."""
        self._ask(Call("end", {"goals": goals, "score": score}), None)

    def trajectory(self, *, most_used: int = 20) -> dict[str, Any] | None:
        """See `Player`."""
        told: dict[str, Any] | None = self._ask(Call("trajectory", {"most_used": most_used}), None)
        return told

    def _start(self, game: Rules) -> None:
        if self._child is not None and self._game is game:
            return
        if game.chance and game.initial_state().image() is None:
            raise PlayerLost(f"situations of {game.id} cannot be handed to another process")
        if self._child is not None:
            self._child.kill()
        self._game, self._child = game, _Child()
        weakref.finalize(self, self._child.kill)
        options = {
            "game": game.id,
            "level": game.level if isinstance(game, ArcadeGame) else None,
            "roles": list(game.roles),
            "name": self.name,
            "definition": msgspec.msgpack.encode(msgspec.structs.replace(self.definition, isolated=False)),
            "memory": int(self.definition.memory_limit * 2**30),
        }
        self._child.ask(Call("make", options), TO_START + self.definition.time_limit)

    def _ask(self, call: Call, budget: Budget | None) -> Any:
        if self._child is None:
            raise PlayerLost("its process has not been started")
        clock = budget.seconds if budget is not None else 0.0
        return self._child.ask(call, clock + self.definition.time_limit)
