"""One match of a cell, from its place to the row that is kept of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from statistics import fmean, median

from paidia.core.errors import BadInput
from paidia.core.game import Game, State
from paidia.core.player import Decision, Player
from paidia.experiment.arcade import check_arcade_player, play_video_game
from paidia.experiment.cells import Cell, Contender
from paidia.experiment.games import board_game, is_video_game
from paidia.experiment.row import Row
from paidia.experiment.trajectories import Condensed, condense
from paidia.match.referee import Clocks, play_match
from paidia.players.registry import KINDS

__all__ = ["check_player", "play", "points"]


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
        self.player = player
        self._start = start_time
        self.simulations: list[int] = []
        self.seconds: list[float] = []

    def begin(self, game: Game, role: int, *, seed: int, start_clock: float) -> None:
        self.player.begin(game, role, seed=seed, start_clock=self._start)

    def act(self, state: State, step: int) -> Decision:
        began = time.perf_counter()
        decision = self.player.act(state, step)
        if isinstance(decision, Decision) and decision.simulations:
            self.seconds.append(time.perf_counter() - began)
            self.simulations.append(decision.simulations)
        return decision

    def end(self, goals: list[float]) -> None:
        self.player.end(goals)


def make_player(contender: Contender) -> Player:
    """A fresh player: nothing it learned in an earlier match may reach a later one."""
    if contender.definition.kind not in KINDS:
        raise BadInput("plays video games only")
    return KINDS[contender.definition.kind](contender.name, contender.definition, contender.budget)


def play(cell: Cell, pair: int, seat: int) -> Row:
    """Play the match at one place of a cell."""
    if is_video_game(cell.game):
        return play_video_game(cell, pair)
    game = board_game(cell.game, cell.level)
    assignment = cell.seats[seat]
    seed = cell.match_seed(pair)
    players = [_Watched(make_player(cell.contenders[type]), cell.contenders[type].start_time) for type in assignment]
    began = time.perf_counter()
    clocks = _clocks(cell)
    result = play_match(game, players, seed=seed, clocks=clocks, max_steps=cell.max_steps)
    record = result.record
    sides = range(len(cell.contenders))
    made = [[n for player in _of(side, assignment, players) for n in player.simulations] for side in sides]
    took = [[s for player in _of(side, assignment, players) for s in player.seconds] for side in sides]
    told = [_told(assignment.index(side), players) if side in assignment else None for side in sides]
    return Row(
        seed=seed,
        goals=record.goals,
        points=points(record.goals, assignment),
        moves=len(record.moves),
        simulations=_per_side(sides, assignment, result.simulations),
        median_simulations=[_median(own) for own in made],
        median_rate=[
            _median([n / s for n, s in zip(own, spent, strict=True) if s > 0]) for own, spent in zip(made, took, strict=True)
        ],
        seconds=time.perf_counter() - began,
        ending=record.ending,
        fault=None if record.fault is None else assignment[record.fault],
        message=record.message[:500],
        overruns=_per_side(sides, assignment, record.overruns),
        mean_simulations=[fmean(own) if own else 0.0 for own in made],
        slowest=[max(own, default=0.0) for own in took],
        trajectories=told if any(told) else [],
        late_moves=[sum(s > clocks.play for s in own) for own in took] if clocks.play else [],
    )


def _told(role: int, players: list[_Watched]) -> Condensed | None:
    """What the player of a role did with its parameters; a contender who holds several roles tells of its first."""
    return condense(players[role].player, role)


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
    if is_video_game(cell.game):
        check_arcade_player(cell, contender)
    else:
        make_player(contender).begin(board_game(cell.game, cell.level), 0, seed=0, start_clock=0.0)
