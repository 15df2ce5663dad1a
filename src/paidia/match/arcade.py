"""One player, one video game: the referee of arcade matches and the record that replays to the same result.

The competition's rules: a second to prepare, 40 ms for every tick, 2,000 ticks. A player in the same process cannot be
interrupted: a call that lasts more than a quarter longer than its clock is an overrun, which is counted and reported, and the
action counts all the same. With `disqualify` the clock is a law: an answer after 40 ms comes too late (NIL is played in its
place), and one after 50 ms ends the match, lost. A player that crashes or answers with what is no action loses.
"""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Callable
from typing import Any, Literal, TypeVar

import msgspec

import paidia
from paidia.core.arcade import ACTIONS, ArcadeGame, ArcadeState, action_id
from paidia.core.arcade_player import ArcadeDecision, ArcadePlayer
from paidia.core.errors import BadInput
from paidia.core.seeds import spawn
from paidia.match.record import check_format, decode_record, encode_record, trajectory_of

__all__ = ["COMPETITION", "NO_CLOCKS", "ArcadeClocks", "ArcadeRecord", "ArcadeResult", "play_arcade", "replay_arcade"]

FORMAT = 1
GRACE = 0.25  # a call may take this much longer than its clock (40 ms: 50 ms) before it counts as an overrun
MARGIN = 0.05  # of its clock that a player is not told of where being late costs the action
WORLD, SEAT, VIEW = 0, 1, 2  # branches of the match's seed: chance in the game, the player, the copies it is shown

Ending = Literal["terminal", "tick limit", "crash", "illegal action", "disqualified"]
T = TypeVar("T")


class ArcadeClocks(msgspec.Struct, frozen=True):
    """Seconds for the start and for each tick; 0 means that nobody looks at the clock.

    With `disqualify` a late answer is not played, and an overrun loses the match.
    """

    start: float = 1.0
    tick: float = 0.04
    disqualify: bool = False

    @property
    def thinking(self) -> float:
        """Seconds that a player may be told to think in a tick: where being late costs the action, a little less than all."""
        return self.tick * (1 - MARGIN) if self.disqualify else self.tick


COMPETITION = ArcadeClocks()
NO_CLOCKS = ArcadeClocks(0.0, 0.0)


class ArcadeRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One game of one player. Nothing in it but `overruns` depends on the speed of the machine.

    Attributes:
        format: Version of this format.
        game: Id of the game, or the path of its rules.
        level: Its level.
        agent: Who played.
        seed: Root seed of the match.
        budget: Budget of one tick, in words.
        actions: The action of every tick; NIL where the avatar did not have the one that was asked for, or it came too late.
        simulations: For every tick the simulations that the choice rests on.
        score: Final score.
        winner: 1 won, 0 lost.
        ending: "terminal", "tick limit", "crash", "illegal action" or "disqualified".
        message: What went wrong.
        overruns: Number of calls for which the player took longer than its clock and a quarter; where late answers are not
            played, number of those.
        version: Version of paidia.
        trajectory: What the player did with its search parameters, null if it leaves them alone.
    """

    game: str
    level: str
    agent: str
    seed: int
    budget: str
    actions: list[str]
    simulations: list[int]
    score: float
    winner: int
    ending: Ending
    version: str
    message: str = ""
    overruns: int = 0
    trajectory: dict[str, Any] | None = None
    format: int = FORMAT

    def to_json(self) -> bytes:
        """The record as indented JSON with a newline at the end."""
        return encode_record(self)

    @staticmethod
    def from_json(data: bytes, *, file: str = "record") -> ArcadeRecord:
        """Read a record; a broken one is an error that says what is wrong."""
        record = decode_record(data, ArcadeRecord, file=file, what="the record of a video game")
        check_format(record.format, FORMAT, file=file)
        return record


class ArcadeResult(msgspec.Struct, frozen=True):
    """The record, and how fast it went.

    Attributes:
        record: What can be replayed.
        ticks: Thinking time in each tick in which the player was asked, in seconds.
        asked: The numbers of those ticks.
    """

    record: ArcadeRecord
    ticks: list[float]
    asked: list[int]

    @property
    def seconds(self) -> float:
        """Thinking time in all ticks."""
        return sum(self.ticks)

    @property
    def slowest(self) -> float:
        """The longest tick in seconds."""
        return max(self.ticks, default=0.0)

    @property
    def sims_per_second(self) -> float:
        """Simulations per second of thinking time, 0 for a player that does not simulate."""
        total = sum(self.record.simulations)
        return total / self.seconds if total and self.seconds > 0 else 0.0


class _Fault(Exception):
    def __init__(self, ending: Ending, message: str) -> None:
        super().__init__(message)
        self.ending, self.message = ending, message


class _Seat:
    """The player's clock."""

    def __init__(self, disqualify: bool) -> None:
        self.disqualify = disqualify
        self.took = 0.0  # the last call
        self.late = False  # and whether its answer came too late to be played
        self.overruns = 0

    def timed(self, limit: float, call: Callable[[], T]) -> T:
        """One call of the player against a clock; anything it raises is its own fault."""
        began = time.perf_counter()
        try:
            answer = call()
        except (Exception, SystemExit) as error:
            raise _Fault("crash", f"{type(error).__name__}: {error}") from None
        finally:
            self.took = time.perf_counter() - began
            overrun = bool(limit) and self.took > limit * (1 + GRACE)
            self.late = self.disqualify and bool(limit) and self.took > limit
            self.overruns += overrun or self.late
        if overrun and self.disqualify:
            raise _Fault("disqualified", f"took {1000 * self.took:.0f} ms; {1000 * limit * (1 + GRACE):.0f} are too many")
        return answer


def play_arcade(
    game: ArcadeGame,
    player: ArcadePlayer,
    *,
    seed: int = 0,
    clocks: ArcadeClocks = COMPETITION,
    budget: str = "",
    max_ticks: int = 0,
    watch: Callable[[ArcadeState, str], None] | None = None,
    thoughts: Callable[[ArcadeDecision], None] | None = None,
) -> ArcadeResult:
    """Play one game to its end.

    Args:
        game: Rules and level.
        player: Who plays.
        seed: Root of everything random in the match, in the game and in the player.
        clocks: Start and tick clock.
        budget: The budget of a tick in words, for the record.
        max_ticks: Stop earlier than the game's own limit of ticks; an unfinished game is lost.
        watch: Called after each tick with the state (not to be changed) and the action.
        thoughts: Called before each tick with what the player answered, notes included; they are not recorded.
    """
    seat = _Seat(clocks.disqualify)
    state = game.initial_state(spawn(seed, WORLD))
    view = game.initial_state()
    actions: list[str] = []
    simulations: list[int] = []
    ticks: list[float] = []
    asked: list[int] = []
    ending: Ending = "terminal"
    message = ""
    try:
        _show(view, state, seed, 0)
        seat.timed(clocks.start, lambda: player.begin(game, view, seed=spawn(seed, SEAT), start_clock=clocks.start))
        if clocks.tick:
            _settle_heap()
        while not state.over:
            if max_ticks and state.tick >= max_ticks:
                ending = "tick limit"
                break
            action, sims = "NIL", 0
            if state.alive:  # a dead avatar's player is not asked while the world goes on
                _show(view, state, seed, state.tick + 1)
                decision = seat.timed(clocks.tick, lambda: player.act(view))
                action, sims = _answer(decision, state)
                action = "NIL" if seat.late else action
                ticks.append(seat.took)
                asked.append(state.tick)
                if thoughts is not None:
                    thoughts(decision)
            state.advance(action)
            actions.append(action)
            simulations.append(sims)
            if watch is not None:
                watch(state, action)
    except _Fault as fault:
        ending, message = fault.ending, fault.message
    finally:
        if clocks.tick:
            gc.unfreeze()
    winner = _winner(state, ending)
    with contextlib.suppress(Exception, SystemExit):  # the result stands, whatever the player does now
        player.end(state.score, winner)
    record = ArcadeRecord(
        game=game.id,
        level=game.level,
        agent=player.name,
        seed=seed,
        budget=budget,
        actions=actions,
        simulations=simulations,
        score=state.score,
        winner=winner,
        ending=ending,
        message=message,
        overruns=seat.overruns,
        trajectory=trajectory_of(player),
        version=paidia.__version__,
    )
    return ArcadeResult(record=record, ticks=ticks, asked=asked)


def _settle_heap() -> None:
    """Python's collector tidies up, and then leaves alone what exists already: going through all of it takes 10 ms and more,
    which must not happen in the middle of a tick. What comes into being meanwhile is collected as ever.
    """
    gc.collect()
    gc.freeze()


def _show(view: ArcadeState, state: ArcadeState, seed: int, number: int) -> None:
    """Make `view` what the player sees of `state`: the same, with another future."""
    view.copy_from(state)
    view.seed(spawn(seed, VIEW, number))


def _answer(decision: object, state: ArcadeState) -> tuple[str, int]:
    """The action as the game takes it, and the simulations behind it."""
    if not isinstance(decision, ArcadeDecision):
        raise _Fault("illegal action", f"answered {decision!r} instead of an ArcadeDecision")
    if not isinstance(decision.simulations, int) or decision.simulations < 0:
        raise _Fault("illegal action", f"claims {decision.simulations!r} simulations")
    try:
        name = ACTIONS[action_id(decision.action)]
    except (BadInput, TypeError):
        raise _Fault("illegal action", f"{decision.action!r} is no action") from None
    return (name if name in state.actions else "NIL"), decision.simulations


def _winner(state: ArcadeState, ending: Ending) -> int:
    return int(ending == "terminal" and state.winner == 1)


def replay_arcade(
    record: ArcadeRecord, game: ArcadeGame, *, watch: Callable[[ArcadeState, str], None] | None = None
) -> ArcadeState:
    """Play a record again; returns the last state. One that does not end as it says is an error."""
    if record.level != game.level:
        raise BadInput(f"the record is of level {record.level}, not {game.level}; give --level {record.level}")
    state = game.initial_state(spawn(record.seed, WORLD))
    for tick, action in enumerate(record.actions):
        if state.over:
            raise BadInput(f"the record has {len(record.actions)} actions, the game ends after {tick} ticks")
        state.advance(action)
        if watch is not None:
            watch(state, action)
    if record.ending == "terminal" and not state.over:
        raise BadInput("the record ends before the game is over")
    score, winner = state.score, _winner(state, record.ending)
    if (score, winner) != (record.score, record.winner):
        raise BadInput(
            f"the record ends with score {record.score:g} and winner {record.winner}, the rules say {score:g} and {winner}"
        )
    return state
