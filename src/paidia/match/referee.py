"""The referee: asks every player for its move, keeps the clocks, and plays on until the game is over, whatever the game.

A player that crashes or answers with what is no move loses the match; it never takes the referee down. Its code is a stranger's:
every call of it is guarded, also those that Python makes (`__str__` of an error, `__index__` of a move), and what goes into the
record is a plain value made here. Only Ctrl-C goes through. A player in this process can still end the process, or hang:
`experiment/isolated` gives it a process of its own. What becomes of a player that takes too long is the clocks' policy
(`match/clocks.py`), what counts as an answer and how a match is scored are the laws of the kind of game (`match/laws.py`).
"""

from __future__ import annotations

import contextlib
import gc
import math
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec

import paidia
from paidia.core.budget import Budget
from paidia.core.errors import BadInput, IllegalMove, PaidiaError
from paidia.core.hidden import hides, needs_sight
from paidia.core.model import Rules
from paidia.core.player import Decision, Player, Resigned
from paidia.core.text import interrupted, printable, told
from paidia.match.clocks import Clocks, clocks_for
from paidia.match.laws import Ending, Laws, laws_of
from paidia.match.record import MatchRecord, Watch
from paidia.match.result import Asked, MatchResult
from paidia.match.seeds import MatchSeeds

__all__ = ["check_seats", "name_of", "play_match"]

#: What a store and every reader of a record can count.
MOST_SIMULATIONS = 2**63 - 1

#: A player's trajectory that is larger than this as JSON is left out of the record.
LARGEST_TRAJECTORY = 4_000_000

T = TypeVar("T")


def play_match(
    game: Rules,
    players: Sequence[Player],
    *,
    seed: int = 0,
    budget: Budget | None = None,
    clocks: Clocks | None = None,
    max_steps: int = 100_000,
    watch: Watch | None = None,
    thoughts: Callable[[int, Decision], None] | None = None,
) -> MatchResult:
    """Play one match.

    Args:
        game: The rules.
        players: One per role.
        seed: Root of everything random in the match, in the game and in the players.
        budget: What every player may use for a move, with the usual clocks of the game.
        clocks: How long players may think, where that is not all.
        max_steps: A match that lasts longer is stopped.
        watch: Called after each step with the new state, the number of steps and the joint move.
        thoughts: Called before each step with each role that was asked and its answer as it was taken, notes included.

    Raises:
        BadInput: These players cannot play this match.
    """
    clocks = clocks or clocks_for(game, budget)
    check_seats(game, players, clocks)
    match = _Match(game, players, seed, clocks)
    fault: _Fault | None = None
    try:
        ending = match.play(max_steps, watch, thoughts)
    except _Fault as error:
        ending, fault = error.ending, error
    return match.result(ending, fault)


def check_seats(game: Rules, players: Sequence[Player], clocks: Clocks) -> None:
    """Refuse players that cannot play a game, or not with what they may use."""
    if len(players) != game.n_roles:
        roles = f"one for each of {', '.join(game.roles)}"
        raise BadInput(f"{game.id} needs {game.n_roles} agents, not {len(players)}: {roles}")
    for seat, player in enumerate(players):
        try:
            reason = needs_sight(game, player.partial_information is True) or player.cannot_play(game, clocks.move_budget(seat))
            reason = None if reason is None else printable(f"{reason}")
        except PaidiaError:
            raise
        except BaseException as error:
            if interrupted(error):
                raise
            reason = f"cannot say whether it can play {game.id}: {told(error)}"
        if reason is not None:
            raise BadInput(f"agent {name_of(player)} {reason}")


def name_of(player: Player) -> str:
    """What a player is called: its own word for it, or that of its class."""
    try:
        name = player.name
        return printable(name, most=200) if isinstance(name, str) else type(player).__name__
    except BaseException as error:
        if interrupted(error):
            raise
        return printable(type.__dict__["__name__"].__get__(type(player)))


def _ponders(player: Player) -> bool:
    try:
        return player.ponders is True
    except BaseException as error:
        if interrupted(error):
            raise
        return False


class _Fault(Exception):
    """A player broke the rules of the match."""

    def __init__(self, role: int, ending: Ending, message: str) -> None:
        super().__init__(message)
        self.role, self.ending, self.message = role, ending, message


class _Seat:
    """One player with its clock."""

    def __init__(self, player: Player, role: int, clocks: Clocks) -> None:
        self.player, self.role, self._clocks = player, role, clocks
        self.name = name_of(player)
        self.ponders = _ponders(player)
        self.asked: list[Asked] = []
        self.overruns = 0
        self.took = 0.0  # the last call
        self.late = False  # and whether its answer came too late to be played

    def played(self, joint: list[int | None]) -> None:
        """Tell the player what was played."""
        try:
            self.player.played(list(joint))
        except BaseException as error:
            if interrupted(error):
                raise
            raise _Fault(self.role, "crash", told(error)) from None

    def timed(self, clock: float, call: Callable[[], T]) -> T:
        """Run one call of the player against a clock; anything it raises is its own fault."""
        most = self._clocks.most(clock)
        law = self._clocks.disqualify
        began = time.perf_counter()
        try:
            answer = call()
        except Resigned:
            raise _Fault(self.role, "resigned", "") from None
        except BaseException as error:
            if interrupted(error):
                raise
            raise _Fault(self.role, "crash", told(error)) from None
        finally:
            self.took = time.perf_counter() - began
            overrun = bool(clock) and self.took > most
            self.late = law and bool(clock) and self.took > clock
            self.overruns += overrun or self.late
        if overrun and law:
            message = f"took {1000 * self.took:.0f} ms; {1000 * most:.0f} are too many"
            raise _Fault(self.role, "disqualified", message)
        return answer


class _Match:
    """A match that is being played."""

    def __init__(self, game: Rules, players: Sequence[Player], seed: int, clocks: Clocks) -> None:
        self.game, self.seed = game, seed
        self.clocks = clocks = clocks.seated([_ponders(player) for player in players])
        self.laws: Laws = laws_of(game)
        self.seeds = MatchSeeds(game, seed)
        self.seats = [_Seat(player, role, clocks) for role, player in enumerate(players)]
        self.state = self.seeds.start()
        self.moves: list[list[str | None]] = []
        self.simulations: list[list[int]] = []

    def play(self, max_steps: int, watch: Watch | None, thoughts: Callable[[int, Decision], None] | None) -> Ending:
        """Play to the end, and say how it came; a fault of a player goes through."""
        for seat in self.seats:
            self.begin(seat)
        with _settled_heap(needed=self.clocks.move_clock > 0):
            while not self.state.terminal:
                if len(self.moves) >= max_steps:
                    return self.laws.limit
                joint, simulations = self.ask_all(thoughts)
                names = [None if move is None else self.game.move_name(role, move) for role, move in enumerate(joint)]
                self.moves.append(names)
                self.simulations.append(simulations)
                self.state.play(joint)
                self.laws.played(self.state, joint)
                for seat in self.seats:
                    if not hides(self.game):
                        seat.played(joint)
                if watch is not None:
                    watch(self.state, len(self.moves), joint)
        return "terminal"

    def begin(self, seat: _Seat) -> None:
        """A player prepares itself."""
        view = self.laws.view(self.seeds.view(self.state, 0), seat.role)
        seed, budget = self.seeds.seat(seat.role), self.clocks.start_budget(seat.role)

        def call() -> None:
            seat.player.begin(self.game, seat.role, state=view, seed=seed, budget=budget)

        seat.timed(self.clocks.start_clock, call)

    def ask_all(self, thoughts: Callable[[int, Decision], None] | None) -> tuple[list[int | None], list[int]]:
        """The joint move, and the simulations behind each part of it."""
        joint: list[int | None] = []
        simulations: list[int] = []
        for seat in self.seats:
            if not self.laws.asks(self.state, seat.role):
                joint.append(self.laws.answer(self.state, seat.role, None))
                simulations.append(0)
                continue
            decision = self.ask(seat)
            joint.append(self.answer(seat, decision))
            simulations.append(decision.simulations)
            lost = (decision.notes or {}).get("lost_playouts")
            seat.asked.append(Asked(len(self.moves), decision.simulations, seat.took, lost if type(lost) is int else None))
            if thoughts is not None:
                thoughts(seat.role, Decision(joint[-1], decision.simulations, decision.value, decision.notes))
        return joint, simulations

    def ask(self, seat: _Seat) -> Decision:
        """What a player decides, seeing a copy of the state."""
        step = len(self.moves)
        view = self.laws.view(self.seeds.view(self.state, step + 1), seat.role)
        # A world that goes on by itself is worth a thought even where there is one thing to do: waiting is another.
        choice = len(self.state.legal(seat.role)) > 1 or self.game.chance
        budget = self.clocks.ask_budget(seat.role, choice=choice, ponders=seat.ponders)
        decision: object = seat.timed(self.clocks.move_clock, lambda: seat.player.act(view, step=step, budget=budget))
        if type(decision) is not Decision:
            raise _Fault(seat.role, self.laws.illegal, f"answered {told(decision)} instead of a Decision")
        simulations: object = decision.simulations
        if not issubclass(type(simulations), int) or not 0 <= int.__int__(simulations) <= MOST_SIMULATIONS:  # type: ignore[arg-type]
            raise _Fault(seat.role, self.laws.illegal, f"claims {told(simulations)} simulations")
        value = decision.value if type(decision.value) is float and math.isfinite(decision.value) else None
        return Decision(decision.move, int.__int__(simulations), value, _plain(decision.notes))  # type: ignore[arg-type]

    def answer(self, seat: _Seat, decision: Decision) -> int | None:
        """Its move as the game takes it."""
        try:
            move = self.laws.answer(self.state, seat.role, decision.move)
        except IllegalMove as error:
            raise _Fault(seat.role, self.laws.illegal, printable(str(error))) from None
        return self.laws.answer(self.state, seat.role, None) if seat.late else move

    def result(self, ending: Ending, fault: _Fault | None) -> MatchResult:
        """Tell the players, and write down what happened."""
        role = None if fault is None else fault.role
        goals, score = self.laws.goals(self.state, ending, role), self.laws.score(self.state)
        players = [seat.player for seat in self.seats]
        for seat, player in enumerate(players):
            own = score[seat] if isinstance(score, list) else score
            try:
                player.end(list(goals), score=own)  # a list of its own: the result stands, whatever the player does now
            except BaseException as error:
                if interrupted(error):
                    raise
                continue
        trajectories = [_trajectory(player) for player in players]
        record = MatchRecord(
            game=self.game.id,
            level=self.laws.level,
            roles=list(self.game.roles),
            agents=[seat.name for seat in self.seats],
            seed=self.seed,
            budget=self.clocks.words(),
            moves=self.moves,
            simulations=self.simulations,
            goals=goals,
            score=score,
            ending=ending,
            fault=role,
            message="" if fault is None else fault.message,
            overruns=[seat.overruns for seat in self.seats],
            trajectories=trajectories if any(trajectories) else [],
            version=paidia.__version__,
        )
        return MatchResult(record=record, asked=[seat.asked for seat in self.seats])


def _trajectory(player: Player) -> dict[str, Any] | None:
    """What a player did with its search parameters, if it tells; whatever goes wrong, the match stands without it."""
    try:
        data = msgspec.json.encode(player.trajectory())
        return msgspec.json.decode(data, type=dict[str, Any] | None) if len(data) <= LARGEST_TRAJECTORY else None
    except BaseException as error:
        if interrupted(error):
            raise
        return None


def _plain(notes: object) -> dict[str, Any] | None:
    """A player's notes as plain data that is no longer its own; None if they are something else."""
    try:
        return msgspec.msgpack.decode(msgspec.msgpack.encode(notes), type=dict[str, Any] | None)
    except BaseException as error:
        if interrupted(error):
            raise
        return None


@contextlib.contextmanager
def _settled_heap(*, needed: bool) -> Iterator[None]:
    """Where a clock runs, Python's collector tidies up first, and then leaves alone what exists already: going through all of
    it takes 10 ms and more, which must not happen in the middle of a tick. What comes into being is collected as ever.
    """
    if not needed:
        yield
        return
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
