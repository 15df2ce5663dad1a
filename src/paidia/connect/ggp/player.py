"""What a GGP player answers to each message, whoever carries them.

One match at a time: whoever asks for another gets `busy`, unless the host of the match has been silent for so long that it
must have gone. A search gets what is left of the clock less a margin, counted from the moment when the message arrived. ABORT
and STOP end whatever is being built or thought about at once, and so does the PLAY of the next move.

Rules are checked as `paidia check` does, and played by their net; where that is not there in time, the interpreter begins, and
the net takes over between two moves when it is ready.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product

import paidia
from paidia.connect.ggp.building import Building
from paidia.connect.ggp.messages import Abort, Info, Message, MessageError, Play, Preview, Start, Stop
from paidia.connect.ggp.position import Position
from paidia.core.budget import Budget
from paidia.core.errors import BadInput, OutOfTime, PaidiaError
from paidia.core.game import Game
from paidia.core.machine.alarm import Alarm
from paidia.core.player import Player
from paidia.core.text import printable
from paidia.games.gdl.interpreter.interpreter import load as interpret
from paidia.games.gdl.language.rules import RuleSheet, build_sheet, parse_sheet
from paidia.games.gdl.load import accepted, load_net
from paidia.players.agent_player import AgentPlayer
from paidia.players.definition import Value
from paidia.players.registry import make_player

__all__ = ["GgpPlayer"]

_LOG = logging.getLogger("paidia")

LEAST_SEARCH = 0.01
SMALLEST = "(role {0}) (legal {0} go) (<= (next end) (does {0} go)) (<= (goal {0} 100) (true end))"
TO_STOP = 5.0  # seconds that a search may take to end once it was asked to


@dataclass
class _Match:
    """A match, from its START on."""

    id: str
    start_clock: float
    play_clock: float
    heard: float  # when its host last spoke
    role: int = 0
    position: Position | None = None  # None while the rules are being loaded
    player: Player | None = None
    building: Building | None = None
    moves: list[tuple[str, ...]] = field(default_factory=list)
    alarm: Alarm = field(default_factory=Alarm)  # of the thread that loads the rules
    thinking: threading.Lock = field(default_factory=threading.Lock)
    over: bool = False

    def call_off(self) -> None:
        """End what is being built or thought about; returns at once."""
        self.over = True
        self.alarm.ring()
        if self.building is not None:
            self.building.call_off()
        threading.Thread(target=self.interrupt, daemon=True).start()

    def interrupt(self) -> bool:
        """Get hold of `thinking`, by stopping whoever thinks; whether it was possible."""
        ends = time.monotonic() + TO_STOP
        while not self.thinking.acquire(timeout=0.01):  # a search that is just about to begin has to be asked again
            if self.player is not None:
                self.player.stop()
            if time.monotonic() > ends:
                return False
        if self.over:
            self.thinking.release()
        return True


def _check_agent(player: AgentPlayer) -> None:
    """Refuse an agent of ours that plays no rule sheet, be it for one role or for two (it needs sprites, say)."""
    if not player.own_search:
        return
    reason: str | None = None
    ways: tuple[Callable[[RuleSheet, str], Game], ...] = (interpret, load_net)
    for way, roles in product(ways, (("a", "b"), ("a",))):  # some need the facts that only a net tells
        rules = "(init start) (<= terminal (true end))" + "".join(SMALLEST.format(role) for role in roles)
        reason = player.cannot_play(way(parse_sheet(rules), "a rule sheet"), Budget(seconds=1.0))
        if reason is None:
            return
    raise BadInput(f"agent {player.name} plays no rule sheets: it {reason}; take another, such as grave")


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
        _check_agent(self._new_player())  # what is wrong with an agent is an error now, not in the first match
        self._lock = threading.Lock()  # of the match; never held while anybody thinks
        self._match: _Match | None = None

    def answer(self, message: Message, arrived: float) -> str:
        """The reply to a message that arrived at this time (`time.monotonic()`).

        Raises:
            MessageError: the message does not fit the match.
            PaidiaError: the rules cannot be played.
        """
        if isinstance(message, Info):
            with self._lock:
                status = "busy" if self._occupied(arrived) else "available"
            return f"((name {self.name}) (status {status}) (species agent) (version {paidia.__version__}))"
        if isinstance(message, Preview):
            with Alarm(seconds=max(1.0, message.clock)):
                build_sheet(message.rules)
            return "ready"
        if isinstance(message, Start):
            return self._start(message, arrived)
        if isinstance(message, Play):
            return self._play(message, arrived)
        return self._end(message)

    # ------------------------------------------------------------------------------------------------ messages

    def _occupied(self, now: float) -> bool:
        match = self._match
        return match is not None and now - match.heard < 60.0 + 2 * (match.start_clock + match.play_clock)

    def _start(self, message: Start, arrived: float) -> str:
        match = _Match(message.match, message.start_clock, message.play_clock, arrived)
        with self._lock:
            if self._occupied(arrived):
                return "busy"
            gone, self._match = self._match, match
        if gone is not None:
            gone.call_off()
        ready = False
        try:
            with match.thinking, match.alarm:
                self._prepare(match, message, arrived + message.start_clock - self._kept(message.start_clock))
            ready = not match.over
        except OutOfTime:
            if not match.over:
                raise MessageError("the start clock is too short for these rules") from None
        finally:
            with self._lock:
                if not ready and self._match is match:
                    self._match = None
            if not ready:
                match.call_off()
        match.heard = max(match.heard, time.monotonic())
        return "ready" if ready else "aborted"

    def _prepare(self, match: _Match, message: Start, deadline: float) -> None:
        sheet = accepted(build_sheet(message.rules))
        if sheet.hidden:
            raise MessageError("the rules are GDL-II (random, sees), and these messages carry no percepts; try `paidia play`")
        roles = [sheet.spelling.get(role, role).lower() for role in sheet.roles]
        if message.role.lower() not in roles:
            raise MessageError(f"the rules have no role {message.role}")
        match.role = roles.index(message.role.lower())
        match.building = Building(sheet, message.match)
        game = match.building.game(max(0.0, deadline - time.monotonic()))
        match.position, match.player = Position(game), self._new_player()
        left = deadline - time.monotonic()
        self._begin(match, Budget(seconds=left) if left > LEAST_SEARCH and not match.over else None)
        _LOG.info("match %s: %s as %s", printable(message.match), self.name, printable(message.role))

    def _new_player(self) -> AgentPlayer:
        return make_player(self.agent, settings=self.settings)

    def _begin(self, match: _Match, budget: Budget | None) -> None:
        assert match.position is not None and match.player is not None
        game = match.position.game
        reason = match.player.cannot_play(game, Budget(seconds=max(match.play_clock, LEAST_SEARCH)))
        if reason is not None:
            raise MessageError(f"{self.name} {reason}")
        match.player.begin(game, match.role, state=game.initial_state(), seed=self.seed, budget=budget)

    def _kept(self, clock: float) -> float:
        return min(self.margin, 0.25 * clock)

    def _play(self, message: Play, arrived: float) -> str:
        match = self._current(message.match)
        if match is None or match.position is None:
            return "busy"
        if match.thinking.locked() and (message.moves is None or not match.position.fits(message.moves)):
            return "busy"  # what it thinks about has been asked before; a move that fits says that the host went on without us
        if not match.interrupt() or match.over:
            return "busy"
        try:
            match.heard = arrived
            position = match.position
            if message.moves is not None:
                position.play(message.moves)
                match.moves.append(message.moves)
            self._take_up_net(match)
            return self._choose(match, arrived + match.play_clock - self._kept(match.play_clock))
        finally:
            match.thinking.release()

    def _choose(self, match: _Match, deadline: float) -> str:
        position, player = match.position, match.player
        assert position is not None and player is not None
        legal = position.legal(match.role)
        if position.state.terminal or not legal:
            return "nil"
        ponders = isinstance(player, AgentPlayer) and player.definition.ponder
        if len(legal) == 1 and not ponders:
            return legal[0]
        budget = Budget(seconds=max(deadline - time.monotonic(), LEAST_SEARCH))
        decision = player.act(position.state.clone(), step=position.step, budget=budget)
        if len(legal) == 1 or decision.move is None:
            return legal[0]
        return position.game.move_name(match.role, decision.move)

    def _take_up_net(self, match: _Match) -> None:
        """A net that is ready at last takes the interpreter's place, at the same point of the match."""
        net = match.building.late() if match.building is not None else None
        if net is None:
            return
        before = match.position, match.player
        try:
            position = Position(net)
            for moves in match.moves:
                position.play(moves)
            match.position, match.player = position, self._new_player()
            self._begin(match, None)
            _LOG.info("match %s: its net is ready and takes over after %d moves", printable(match.id), len(match.moves))
        except PaidiaError as error:  # the interpreter has brought us here and can go on
            match.position, match.player = before
            _LOG.warning("match %s: its net cannot take over: %s", printable(match.id), printable(str(error)))

    def _end(self, message: Stop | Abort) -> str:
        with self._lock:
            match = self._match
            if match is None or match.id != message.match:
                return "busy"
            self._match = None
        match.call_off()
        if isinstance(message, Abort):
            return "aborted"
        if message.moves is not None and match.position is not None and match.player is not None:
            ended = threading.Thread(target=_tell, args=(match, message.moves), daemon=True)
            ended.start()  # the player may still be on its way out of a search; the host need not wait for that
            ended.join(0.5)
        return "done"

    def _current(self, id: str) -> _Match | None:
        with self._lock:
            return self._match if self._match is not None and self._match.id == id else None


def _tell(match: _Match, moves: tuple[str, ...]) -> None:
    """Tell the player how the match ended."""
    assert match.position is not None and match.player is not None
    with match.thinking:
        try:
            match.position.play(moves)
            match.player.end(match.position.state.goals)
        except PaidiaError as error:  # the match is over all the same
            _LOG.warning("match %s: %s", printable(match.id), printable(str(error)))
