"""The referee: asks every player for its move, keeps the clocks, and plays on until the game is over.

A player that crashes or answers with an illegal move loses the match (goal 0 for it, 1 for every other role); it never takes the
referee down. A player in the same process cannot be interrupted: what it takes beyond its clock is counted and reported.
"""

from __future__ import annotations

import contextlib
import operator
import time
from collections.abc import Callable, Sequence
from functools import partial

import msgspec

import paidia
from paidia.core.errors import BadInput
from paidia.core.game import Game, State
from paidia.core.player import Decision, Player
from paidia.core.seeds import spawn
from paidia.match.record import Ending, MatchRecord, trajectory_of

__all__ = ["Clocks", "MatchResult", "play_match"]

#: A move may take this much longer than the play clock (or a tenth of it) before it counts as an overrun.
GRACE = 0.05
NOT_A_MOVE = -1


class Clocks(msgspec.Struct, frozen=True):
    """Seconds for the start of a match and for each move; 0 means that nobody looks at the clock."""

    start: float = 0.0
    play: float = 0.0


class MatchResult(msgspec.Struct, frozen=True):
    """The record of a match, and how fast it went.

    Attributes:
        record: What can be replayed.
        simulations: Simulations of each role.
        seconds: Thinking time of each role.
        slowest: The longest single move of each role in seconds.
    """

    record: MatchRecord
    simulations: list[int]
    seconds: list[float]
    slowest: list[float]

    @property
    def sims_per_second(self) -> list[float]:
        """Simulations per second of thinking time, 0 for a role that does not simulate."""
        return [n / s if n and s > 0 else 0.0 for n, s in zip(self.simulations, self.seconds, strict=True)]


class _Fault(Exception):
    """A player broke the rules of the match."""

    def __init__(self, role: int, ending: Ending, message: str) -> None:
        super().__init__(message)
        self.role, self.ending, self.message = role, ending, message


class _Seat:
    """One player with its clock."""

    def __init__(self, player: Player, role: int) -> None:
        self.player, self.role = player, role
        self.simulations, self.overruns = 0, 0
        self.seconds, self.slowest = 0.0, 0.0

    def timed(self, limit: float, call: Callable[[], Decision | None]) -> Decision | None:
        """Run one call of the player against a clock; anything it raises is its own fault."""
        began = time.perf_counter()
        try:
            return call()
        except (Exception, SystemExit) as error:
            raise _Fault(self.role, "crash", f"{type(error).__name__}: {error}") from None
        finally:
            took = time.perf_counter() - began
            self.seconds += took
            self.slowest = max(self.slowest, took)
            self.overruns += bool(limit) and took > limit + max(GRACE, 0.1 * limit)


def play_match(
    game: Game,
    players: Sequence[Player],
    *,
    seed: int = 0,
    clocks: Clocks | None = None,
    budget: str = "",
    max_steps: int = 100_000,
    watch: Callable[[State, int, list[int | None]], None] | None = None,
) -> MatchResult:
    """Play one match.

    Args:
        game: The rules.
        players: One per role.
        seed: Root of everything random in the match; each seat gets its own.
        clocks: Start and play clock.
        budget: The budget of a move in words, for the record.
        max_steps: A match that lasts longer is stopped, with the goals of its last state.
        watch: Called after each step with the new state, the number of steps and the joint move.
    """
    if len(players) != game.n_roles:
        roles = f"one for each of {', '.join(game.roles)}"
        raise BadInput(f"{game.id} needs {game.n_roles} agents, not {len(players)}: {roles}")
    clocks = clocks or Clocks()
    seats = [_Seat(player, role) for role, player in enumerate(players)]
    state = game.initial_state()
    moves: list[list[str | None]] = []
    simulations: list[list[int]] = []
    ending: Ending = "terminal"
    fault, message = None, ""
    try:
        for seat in seats:
            _begin(seat, game, spawn(seed, seat.role), clocks)
        while not state.terminal:
            if len(moves) >= max_steps:
                ending = "step limit"
                break
            joint, sims = _ask_all(seats, state, len(moves), clocks)
            moves.append([None if m is None else game.move_name(r, m) for r, m in enumerate(joint)])
            simulations.append(sims)
            state.play(joint)
            if watch is not None:
                watch(state, len(moves), joint)
        goals = state.goals
    except _Fault as error:
        ending, fault, message = error.ending, error.role, error.message
        goals = [0.0 if role == fault else 1.0 for role in range(game.n_roles)]
    for seat in seats:
        _end(seat, goals)
    trajectories = [trajectory_of(player) for player in players]
    record = MatchRecord(
        game=game.id,
        roles=list(game.roles),
        agents=[player.name for player in players],
        seed=seed,
        budget=budget,
        moves=moves,
        simulations=simulations,
        goals=goals,
        ending=ending,
        fault=fault,
        message=message,
        overruns=[seat.overruns for seat in seats],
        trajectories=trajectories if any(trajectories) else [],
        version=paidia.__version__,
    )
    return MatchResult(
        record=record,
        simulations=[seat.simulations for seat in seats],
        seconds=[seat.seconds for seat in seats],
        slowest=[seat.slowest for seat in seats],
    )


def _begin(seat: _Seat, game: Game, seed: int, clocks: Clocks) -> None:
    def call() -> None:
        seat.player.begin(game, seat.role, seed=seed, start_clock=clocks.start)

    seat.timed(clocks.start, call)
    seat.seconds = 0.0  # the start clock does not count as thinking time of a move
    seat.slowest = 0.0


def _ask_all(seats: list[_Seat], state: State, step: int, clocks: Clocks) -> tuple[list[int | None], list[int]]:
    """The joint move, each player asked on its own copy of the state."""
    joint: list[int | None] = []
    simulations = []
    for seat in seats:
        copy = state.clone()
        decision = seat.timed(clocks.play, partial(seat.player.act, copy, step))
        joint.append(_legal_answer(seat.role, decision, state))
        assert decision is not None
        simulations.append(decision.simulations)
        seat.simulations += decision.simulations
    return joint, simulations


def _legal_answer(role: int, decision: object, state: State) -> int | None:
    legal = state.legal(role)
    if not isinstance(decision, Decision):
        raise _Fault(role, "illegal move", f"answered {decision!r} instead of a Decision")
    if not isinstance(decision.simulations, int) or decision.simulations < 0:
        raise _Fault(role, "illegal move", f"claims {decision.simulations!r} simulations")
    if decision.move is None and len(legal) <= 1:
        return legal[0] if legal else None
    try:
        move = operator.index(decision.move)  # type: ignore[arg-type]
    except TypeError:
        move = NOT_A_MOVE
    if move not in legal:
        raise _Fault(role, "illegal move", f"move {decision.move!r} is not legal")
    return move


def _end(seat: _Seat, goals: list[float]) -> None:
    # The result stands; a player that fails to say goodbye changes nothing.
    with contextlib.suppress(Exception, SystemExit):
        seat.player.end(goals)
