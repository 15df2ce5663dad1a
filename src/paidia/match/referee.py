"""The referee: asks every player for its move, keeps the clocks, and plays on until the game is over, whatever the game.

A player that crashes or answers with what is no move loses the match; it never takes the referee down. What becomes of a player
that takes too long is the clocks' policy (`match/clocks.py`), what counts as an answer and how a match is scored are the laws of
the kind of game (`match/laws.py`).
"""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec

import paidia
from paidia.core.budget import Budget
from paidia.core.errors import BadInput, IllegalMove
from paidia.core.model import Rules
from paidia.core.player import Decision, Player, Resigned
from paidia.match.clocks import Clocks, clocks_for
from paidia.match.laws import Ending, Laws, laws_of
from paidia.match.record import MatchRecord, Watch
from paidia.match.result import Asked, MatchResult
from paidia.match.seeds import MatchSeeds

__all__ = ["check_seats", "play_match"]

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
        thoughts: Called before each step with each role that was asked and what it answered, notes included.

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
        reason = player.cannot_play(game, clocks.move_budget(seat))
        if reason is not None:
            raise BadInput(f"agent {player.name} {reason}")


class _Fault(Exception):
    """A player broke the rules of the match."""

    def __init__(self, role: int, ending: Ending, message: str) -> None:
        super().__init__(message)
        self.role, self.ending, self.message = role, ending, message


class _Seat:
    """One player with its clock."""

    def __init__(self, player: Player, role: int, clocks: Clocks) -> None:
        self.player, self.role, self._clocks = player, role, clocks
        self.budget = clocks.move_budget(role)
        self.asked: list[Asked] = []
        self.overruns = 0
        self.took = 0.0  # the last call
        self.late = False  # and whether its answer came too late to be played

    def timed(self, clock: float, call: Callable[[], T]) -> T:
        """Run one call of the player against a clock; anything it raises is its own fault."""
        most = self._clocks.most(clock)
        law = self._clocks.disqualify
        began = time.perf_counter()
        try:
            answer = call()
        except Resigned:
            raise _Fault(self.role, "resigned", "") from None
        except (Exception, SystemExit) as error:
            raise _Fault(self.role, "crash", f"{type(error).__name__}: {error}") from None
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
        self.game, self.seed, self.clocks = game, seed, clocks
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
                if watch is not None:
                    watch(self.state, len(self.moves), joint)
        return "terminal"

    def begin(self, seat: _Seat) -> None:
        """A player prepares itself."""
        view, seed, budget = self.seeds.view(self.state, 0), self.seeds.seat(seat.role), self.clocks.start_budget(seat.role)

        def call() -> None:
            seat.player.begin(self.game, seat.role, state=view, seed=seed, budget=budget)

        seat.timed(self.clocks.start_clock, call)

    def ask_all(self, thoughts: Callable[[int, Decision], None] | None) -> tuple[list[int | None], list[int]]:
        """The joint move, and the simulations behind each part of it."""
        joint: list[int | None] = []
        simulations: list[int] = []
        for seat in self.seats:
            if not self.laws.asks(self.state):
                joint.append(self.laws.answer(self.state, seat.role, None))
                simulations.append(0)
                continue
            decision = self.ask(seat)
            joint.append(self.answer(seat, decision))
            simulations.append(decision.simulations)
            seat.asked.append(Asked(len(self.moves), decision.simulations, seat.took))
            if thoughts is not None:
                thoughts(seat.role, decision)
        return joint, simulations

    def ask(self, seat: _Seat) -> Decision:
        """What a player decides, seeing a copy of the state."""
        step = len(self.moves)
        view = self.seeds.view(self.state, step + 1)
        decision: object = seat.timed(self.clocks.move_clock, lambda: seat.player.act(view, step=step, budget=seat.budget))
        if not isinstance(decision, Decision):
            raise _Fault(seat.role, self.laws.illegal, f"answered {decision!r} instead of a Decision")
        if not isinstance(decision.simulations, int) or decision.simulations < 0:
            raise _Fault(seat.role, self.laws.illegal, f"claims {decision.simulations!r} simulations")
        return decision

    def answer(self, seat: _Seat, decision: Decision) -> int | None:
        """Its move as the game takes it."""
        try:
            move = self.laws.answer(self.state, seat.role, decision.move)
        except IllegalMove as error:
            raise _Fault(seat.role, self.laws.illegal, str(error)) from None
        return self.laws.answer(self.state, seat.role, None) if seat.late else move

    def result(self, ending: Ending, fault: _Fault | None) -> MatchResult:
        """Tell the players, and write down what happened."""
        role = None if fault is None else fault.role
        goals, score = self.laws.goals(self.state, ending, role), self.laws.score(self.state)
        players = [seat.player for seat in self.seats]
        for player in players:
            with contextlib.suppress(Exception, SystemExit):  # the result stands, whatever the player does now
                player.end(list(goals), score=score)
        trajectories = [_trajectory(player) for player in players]
        record = MatchRecord(
            game=self.game.id,
            level=self.laws.level,
            roles=list(self.game.roles),
            agents=[player.name for player in players],
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
    except (Exception, SystemExit):
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
