"""A GGP player at an address, in a seat of ours: `ggp:HOST:PORT` wherever an agent is named.

It is told the rules, the moves and the clocks by the protocol's messages. What it does not answer in time, what cannot be read
and what is not legal loses the match, as with any player here (a host replaces it by a random move: `connect/ggp/host.py`).
"""

from __future__ import annotations

import contextlib
import http.client
import math
import time
from typing import ClassVar

from paidia.connect.ggp.host import GRACE, Address, post, read_address
from paidia.connect.ggp.messages import Message, Play, Start, Stop, move_text
from paidia.connect.ggp.position import Position
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.game import Game
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision
from paidia.games import find
from paidia.games.gdl.language.kif import parse
from paidia.games.gdl.library import LIBRARY
from paidia.players.agent_player import AgentPlayer
from paidia.players.definition import AgentDefinition

__all__ = ["RemotePlayer"]


class RemotePlayer(AgentPlayer):
    """Sends every question to an address."""

    searches: ClassVar[bool] = True

    def __init__(self, name: str, definition: AgentDefinition) -> None:
        super().__init__(name, definition)
        self._address: Address = read_address(str(definition.planner.get("address", "")))
        self.ponders = True  # the protocol asks in every step
        self._clock = 0.0
        self._match = ""
        self._last: tuple[str, ...] | None = None

    def cannot_play(self, game: Rules, budget: Budget | None) -> str | None:
        """See `Player`."""
        if budget is None or not budget.seconds:
            return "is a player of the GGP protocol and needs a clock: give --time SECONDS"
        if not isinstance(game, Game) or find(game.id).world != "gdl":
            return f"is a player of the GGP protocol, and {game.id} is no rule sheet"
        self._clock = budget.seconds
        return super().cannot_play(game, budget)

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        """Tell it the rules."""
        assert isinstance(game, Game)
        self._role, self._last = role, None
        self._position = Position(game)
        self._match = f"paidia.{seed % 2**63:x}.{role}"
        rules = tuple(parse(LIBRARY.text(find(game.id).name)))
        start = max(1.0, budget.seconds if budget is not None else self._clock)
        clocks = math.ceil(start), math.ceil(max(1.0, self._clock))
        if budget is None and not self._clock:  # a try whether it can sit down: nothing is asked
            return
        reply = self._ask(Start(self._match, game.roles[role].lower(), rules, *clocks), start)
        if reply.strip().lower() != "ready":
            raise BadInput(f"the player at {self._address} is not ready: {reply[:80]}")

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        """Ask for its move."""
        clock = budget.seconds if budget is not None else self._clock
        reply = self._ask(Play(self._match, self._last), max(1.0, clock))
        sexprs = parse(reply)
        if len(sexprs) != 1:
            raise BadInput(f"the player at {self._address} answered {reply[:80]!r}")
        legal = state.legal(self._role)
        named = {state.game.move_name(self._role, move).lower(): move for move in legal}
        text = move_text(sexprs[0]).lower()
        if text not in named:
            if not legal:  # it waits
                return Decision(None)
            raise BadInput(f"the player at {self._address} wants to play {text}, which is not legal")
        return Decision(named[text])

    def played(self, joint: list[int | None]) -> None:
        """Remember the joint move: it is told with the next question."""
        game = self._position.game
        names = []
        for role, move in enumerate(joint):
            names.append(self._position.legal(role)[0] if move is None else game.move_name(role, move))
        self._position.play(names)
        self._last = tuple(names)

    def end(self, goals: list[float], *, score: float | None = None) -> None:
        """Tell it that the match is over."""
        with contextlib.suppress(Exception):
            self._ask(Stop(self._match, self._last), 2.0)

    def _ask(self, message: Message, seconds: float) -> str:
        try:
            return post(self._address, str(message), time.monotonic() + seconds + GRACE)
        except TimeoutError:
            raise BadInput(f"the player at {self._address} did not answer within {seconds:g} s") from None
        except (OSError, http.client.HTTPException) as error:
            raise BadInput(f"the player at {self._address} cannot be reached: {type(error).__name__}") from None
