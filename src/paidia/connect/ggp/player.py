"""What a GGP player answers to each message, whoever carries them.

One match at a time: whoever asks for another gets `busy`, unless the host of the match has been silent for so long that it
must have gone. A search cannot be interrupted, so it gets what is left of the clock less a margin, counted from the moment
when the message arrived. Rules are loaded as a net while there is time for it, else by the interpreter.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from dataclasses import dataclass, field

import paidia
from paidia.connect.ggp.messages import Abort, Info, Message, MessageError, Play, Preview, Start, Stop
from paidia.connect.ggp.position import Position
from paidia.core.budget import Budget
from paidia.core.errors import PaidiaError
from paidia.core.game import Game
from paidia.core.player import Player
from paidia.games.gdl.interpreter import interpreter
from paidia.games.gdl.interpreter.plans import Limits
from paidia.games.gdl.language.rules import RuleSheet, build_sheet
from paidia.games.gdl.load import load_game
from paidia.games.gdl.net.ground import NetLimits
from paidia.players.definition import Value
from paidia.players.registry import make_player

__all__ = ["GgpPlayer"]

_LOG = logging.getLogger("paidia")

LEAST_SEARCH = 0.01
_QUICK = Limits(cells=5_000_000, terms=1_000_000, work=50_000_000)


@dataclass
class _Match:
    id: str
    role: int
    play_clock: float
    start_clock: float
    position: Position
    player: Player
    heard: float  # when its host last spoke
    thinking: threading.Lock = field(default_factory=threading.Lock)


class GgpPlayer:
    """An agent that plays GDL matches.

    Args:
        agent: Id of the agent, or the path of its TOML file.
        margin: Seconds of each clock to keep for the way and for mishaps; at most a quarter of a clock is kept.
        settings: Settings of the agent to change.
        seed: Root of its randomness.
    """

    def __init__(self, agent: str, *, margin: float = 1.0, settings: dict[str, Value] | None = None, seed: int = 0) -> None:
        self.agent, self.margin, self.settings, self.seed = agent, margin, settings or {}, seed
        self.name = "paidia-" + re.sub(r"[^A-Za-z0-9.-]+", "-", agent)
        make_player(agent, settings=self.settings)  # an unknown agent is an error now, not in the first match
        self._lock = threading.Lock()  # of the two below; never held while anybody thinks
        self._match: _Match | None = None
        self._starting = ""  # id of the match whose rules are being loaded
        self._starting_until = 0.0

    def answer(self, message: Message, arrived: float) -> str:
        """The reply to a message that arrived at this time (`time.monotonic()`).

        Raises:
            MessageError: the message does not fit the match.
            PaidiaError: the rules cannot be played.
        """
        if isinstance(message, Info):
            status = "busy" if self._occupied(arrived) else "available"
            return f"((name {self.name}) (status {status}) (species agent) (version {paidia.__version__}))"
        if isinstance(message, Preview):
            build_sheet(message.rules)
            return "ready"
        if isinstance(message, Start):
            return self._start(message, arrived)
        if isinstance(message, Play):
            return self._play(message, arrived)
        return self._end(message)

    # ------------------------------------------------------------------------------------------------ messages

    def _occupied(self, now: float) -> bool:
        with self._lock:
            if self._starting and now < self._starting_until:
                return True
            match = self._match
            patience = 60.0 + 2 * (match.start_clock + match.play_clock) if match else 0.0
            return match is not None and now - match.heard < patience

    def _start(self, message: Start, arrived: float) -> str:
        if self._occupied(arrived):
            return "busy"
        with self._lock:
            self._starting, self._match = message.match, None
            self._starting_until = arrived + 60.0 + 2 * message.start_clock
        try:
            match = self._prepare(message, arrived)
            with self._lock:
                if self._starting != message.match:
                    return "aborted"
                self._match = match
        finally:
            with self._lock:
                if self._starting == message.match:
                    self._starting = ""
        return "ready"

    def _prepare(self, message: Start, arrived: float) -> _Match:
        sheet = build_sheet(message.rules)
        if sheet.hidden:
            raise MessageError("the rules are GDL-II (random, sees), and these messages carry no percepts; try `paidia play`")
        roles = [sheet.spelling.get(role, role).lower() for role in sheet.roles]
        if message.role.lower() not in roles:
            raise MessageError(f"the rules have no role {message.role}")
        deadline = arrived + message.start_clock - self._kept(message.start_clock)
        game = _load(sheet, message.match, deadline)
        player = make_player(self.agent, settings=self.settings)
        role = roles.index(message.role.lower())
        left = deadline - time.monotonic()
        budget = Budget(seconds=left) if left > LEAST_SEARCH else None
        player.begin(game, role, state=game.initial_state(), seed=self.seed, budget=budget)
        _LOG.info("match %s: %s as %s", message.match, self.name, message.role)
        return _Match(message.match, role, message.play_clock, message.start_clock, Position(game), player, time.monotonic())

    def _kept(self, clock: float) -> float:
        return min(self.margin, 0.25 * clock)

    def _play(self, message: Play, arrived: float) -> str:
        match = self._current(message.match)
        if match is None or not match.thinking.acquire(blocking=False):
            return "busy"
        try:
            match.heard = arrived
            if message.moves is not None:
                match.position.play(message.moves)
            state = match.position.state
            legal = match.position.legal(match.role)
            if state.terminal or not legal:
                return "nil"
            if len(legal) == 1:
                return legal[0]
            left = arrived + match.play_clock - self._kept(match.play_clock) - time.monotonic()
            budget = Budget(seconds=max(left, LEAST_SEARCH))
            decision = match.player.act(state.clone(), step=match.position.step, budget=budget)
            return legal[0] if decision.move is None else match.position.game.move_name(match.role, decision.move)
        finally:
            match.thinking.release()

    def _end(self, message: Stop | Abort) -> str:
        with self._lock:
            if isinstance(message, Abort) and self._starting == message.match:
                self._starting = ""
                return "aborted"
            match = self._match
            if match is None or match.id != message.match:
                return "busy"
            self._match = None
        if isinstance(message, Abort):
            return "aborted"
        if message.moves is not None:
            try:
                match.position.play(message.moves)
                match.player.end(match.position.state.goals)
            except MessageError as error:  # the match is over all the same
                _LOG.warning("match %s: %s", match.id, error)
        return "done"

    def _current(self, id: str) -> _Match | None:
        with self._lock:
            return self._match if self._match is not None and self._match.id == id else None


def _load(sheet: RuleSheet, id: str, deadline: float) -> Game:
    """The game as a net if that can be had before the deadline, else interpreted."""
    found: list[Game | PaidiaError] = []
    seconds = deadline - time.monotonic()
    if seconds > 0.3:
        limits = NetLimits(seconds=max(1, int(0.5 * seconds)))

        def build() -> None:
            try:
                found.append(load_game(sheet, id, net_limits=limits))
            except PaidiaError as error:
                found.append(error)

        builder = threading.Thread(target=build, daemon=True)
        builder.start()
        builder.join(0.7 * seconds)
    if not found:
        return interpreter.load(sheet, id, reason="the start clock is too short for a net", limits=_QUICK)
    if isinstance(found[0], PaidiaError):
        raise found[0]
    return found[0]
