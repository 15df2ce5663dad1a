"""The process of a player that is kept apart (`players/isolated.py`): `python -m paidia.experiment.child DESCRIPTOR`."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from typing import Any

import msgspec

from paidia.core.budget import Budget
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision
from paidia.core.text import told
from paidia.games import load
from paidia.players.agent_player import AgentPlayer
from paidia.players.definition import AgentDefinition
from paidia.players.isolated import Answer, Call, Channel
from paidia.players.registry import player_of

__all__ = ["main"]

#: Bytes of the largest file that a player may write.
LARGEST_FILE = 128 << 20


class Seat:
    """The player and its game in this process."""

    def __init__(self) -> None:
        self._game: Rules | None = None
        self._player: AgentPlayer | None = None
        self._state: Situation | None = None
        self._role = 0

    def answer(self, call: Call) -> Any:
        """Do what is asked."""
        options = call.options
        if call.method == "make":
            _limit(options.pop("memory"))
            return self._make(**options)
        assert self._game is not None and self._player is not None
        budget = msgspec.convert(options.pop("budget", None), Budget | None)
        if call.method == "cannot_play":
            return self._player.cannot_play(self._game, budget)
        if call.method == "begin":
            self._state, self._role = self._game.initial_state(), options["role"]
            self._player.begin(self._game, state=self._shown(call), budget=budget, **options)
            return None
        if call.method == "act":
            return self._decision(self._player.act(self._shown(call), budget=budget, **options))
        if call.method == "end":
            return self._player.end(**options)
        return self._player.trajectory(**options)

    def _make(self, *, game: str, level: str | None, roles: list[str], name: str, definition: bytes) -> None:
        self._game = load(game, level=level)
        if list(self._game.roles) != roles:
            raise ValueError(f"{game} is another game here: it has roles {', '.join(self._game.roles)}")
        self._player = player_of(msgspec.msgpack.decode(definition, type=AgentDefinition), name)

    def _shown(self, call: Call) -> Situation:
        """The state in which the player is asked: a copy, so that following the match does not depend on the player."""
        assert self._game is not None and self._state is not None
        for names in call.moves:
            move_id = self._game.move_id
            self._state.play([None if name is None else move_id(role, name) for role, name in enumerate(names)])
        if call.image is not None:
            self._state.take_image(call.image)
        return self._state.clone()

    def _decision(self, decision: object) -> list[Any]:
        if type(decision) is not Decision:
            raise TypeError(f"answered {told(decision)} instead of a Decision")
        assert self._game is not None
        move = decision.move
        if type(move) is int and 0 <= move < self._game.n_moves:
            name: object = self._game.move_name(self._role, move)
        else:
            name = None if move is None else f"no move: {told(move, most=80)}"
        return [name, decision.simulations, decision.value, decision.notes]


def main(descriptor: int) -> None:
    """Answer one call after the other until the other end hangs up."""
    channel = Channel(socket.socket(fileno=descriptor))
    threading.Thread(target=_follow_parent, args=(os.getppid(),), daemon=True).start()
    seat = Seat()
    while True:
        try:
            call = msgspec.msgpack.decode(channel.receive(), type=Call)
        except (EOFError, OSError):
            os._exit(0)  # nobody is there: whatever the player has left running ends, too
        try:
            answer = Answer(value=seat.answer(call))
            msgspec.msgpack.encode(answer)
        except BaseException as error:
            answer = Answer(error=told(error))
        channel.send(answer)


def _limit(memory: int) -> None:
    """Let the operating system end this process when it takes too much."""
    try:
        import resource
    except ImportError:  # Windows: the parent's clock is the only limit there
        return
    for what, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, LARGEST_FILE), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(what)[1]
        if hard == resource.RLIM_INFINITY or most <= hard:  # else a lower limit is in force already
            resource.setrlimit(what, (most, most))


def _follow_parent(parent: int) -> None:
    """A child must not outlive a parent that was killed while it thinks."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


if __name__ == "__main__":
    main(int(sys.argv[1]))
