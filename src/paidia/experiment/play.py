"""One match of a cell, from its place to the row that is kept of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from statistics import median

import msgspec

from paidia.core.game import Game, State
from paidia.core.player import Decision, Player
from paidia.experiment.cells import Cell, Contender
from paidia.games import load
from paidia.match.referee import Clocks, play_match
from paidia.players.registry import KINDS

__all__ = ["Row", "check_player", "play", "points"]


class Row(msgspec.Struct, frozen=True, array_like=True):
    """What is kept of a match. Simulations and rates are per contender: the agent, then its opponent.

    Attributes:
        seed: Seed of the match.
        goals: Goal of each role.
        points: Points of the agent as the papers count them; None for a match that failed.
        moves: Number of joint moves.
        simulations: All simulations of each contender.
        median_simulations: Median over moves of the simulations of a move.
        median_rate: Median over moves of the simulations per second.
        seconds: How long the match took.
        ending: "terminal", "illegal move", "crash", "step limit", or "failed".
        fault: The contender who ended it early.
        message: Why.
        overruns: Moves over the clock, per contender.
        score: Score of a video game.
    """

    seed: int
    goals: list[float]
    points: float | None
    moves: int
    simulations: list[int]
    median_simulations: list[float]
    median_rate: list[float]
    seconds: float
    ending: str
    fault: int | None = None
    message: str = ""
    overruns: list[int] = []
    score: float | None = None


def points(goals: Sequence[float], assignment: Sequence[int]) -> float:
    """Points of contender 0: 1 if it has the highest goal, 0 if the other has, 0.5 if both reach it.

    A contender who holds several roles counts with its best one. Alone, it gets its goal.
    """
    best = [max((goal for goal, type in zip(goals, assignment, strict=True) if type == side), default=None) for side in (0, 1)]
    mine, other = best
    assert mine is not None
    if other is None:
        return mine
    return 1.0 if mine > other else 0.0 if mine < other else 0.5


class _Watched:
    """A player whose moves are timed one by one, with a start clock of its own."""

    def __init__(self, player: Player, start_time: float) -> None:
        self.name = player.name
        self._player = player
        self._start = start_time
        self.simulations: list[int] = []
        self.seconds: list[float] = []

    def begin(self, game: Game, role: int, *, seed: int, start_clock: float) -> None:
        self._player.begin(game, role, seed=seed, start_clock=self._start)

    def act(self, state: State, step: int) -> Decision:
        began = time.perf_counter()
        decision = self._player.act(state, step)
        if isinstance(decision, Decision) and decision.simulations:
            self.seconds.append(time.perf_counter() - began)
            self.simulations.append(decision.simulations)
        return decision

    def end(self, goals: list[float]) -> None:
        self._player.end(goals)


@lru_cache(maxsize=64)
def _game(spec: str, level: str | None) -> Game:
    return load(spec, level=level)


def make_player(contender: Contender) -> Player:
    """A fresh player: nothing it learned in an earlier match may reach a later one."""
    return KINDS[contender.definition.kind](contender.name, contender.definition, contender.budget)


def play(cell: Cell, pair: int, seat: int) -> Row:
    """Play the match at one place of a cell."""
    game = _game(cell.game, cell.level)
    assignment = cell.seats[seat]
    seed = cell.match_seed(pair)
    players = [_Watched(make_player(cell.contenders[type]), cell.contenders[type].start_time) for type in assignment]
    began = time.perf_counter()
    result = play_match(game, players, seed=seed, clocks=_clocks(cell), max_steps=cell.max_steps)
    record = result.record
    sides = range(len(cell.contenders))
    return Row(
        seed=seed,
        goals=record.goals,
        points=points(record.goals, assignment),
        moves=len(record.moves),
        simulations=_per_side(sides, assignment, result.simulations),
        median_simulations=[_median([n for p in _of(side, assignment, players) for n in p.simulations]) for side in sides],
        median_rate=[
            _median(
                [n / s for p in _of(side, assignment, players) for n, s in zip(p.simulations, p.seconds, strict=True) if s > 0]
            )
            for side in sides
        ],
        seconds=time.perf_counter() - began,
        ending=record.ending,
        fault=None if record.fault is None else assignment[record.fault],
        message=record.message[:500],
        overruns=_per_side(sides, assignment, record.overruns),
        score=getattr(record, "score", None),
    )


def _clocks(cell: Cell) -> Clocks:
    """The referee counts overruns against the longest clock of the cell."""
    budgets = [c.budget.seconds if c.budget and not c.budget.simulations else 0.0 for c in cell.contenders]
    return Clocks(start=max(c.start_time for c in cell.contenders), play=max(budgets) if all(budgets) else 0.0)


def _of(side: int, assignment: Sequence[int], players: list[_Watched]) -> list[_Watched]:
    return [player for player, type in zip(players, assignment, strict=True) if type == side]


def _per_side(sides: range, assignment: Sequence[int], values: list[int]) -> list[int]:
    return [sum(value for value, type in zip(values, assignment, strict=True) if type == side) for side in sides]


def _median(values: list[int] | list[float]) -> float:
    return float(median(values)) if values else 0.0


def check_player(cell: Cell, contender: Contender) -> None:
    """Make a player and sit it down: an agent that cannot play this game says so here."""
    make_player(contender).begin(_game(cell.game, cell.level), 0, seed=0, start_clock=0.0)
