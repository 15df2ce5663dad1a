"""One match of a cell, from its place to the row that is kept of it, in every world."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from statistics import fmean, median

from paidia.core.errors import BadInput
from paidia.core.model import Rules
from paidia.experiment.cells import Cell, Contender
from paidia.experiment.row import Row
from paidia.experiment.trajectories import condense
from paidia.games import load
from paidia.match.clocks import Clocks, clocks_for
from paidia.match.referee import play_match
from paidia.match.result import Asked, MatchResult
from paidia.players.registry import player_of

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


def play(cell: Cell, pair: int, seat: int) -> Row:
    """Play the match at one place of a cell, with fresh players: nothing learned in an earlier match may reach a later one."""
    game = _game(cell.game, cell.level)
    assignment = cell.seats[seat]
    contenders = [cell.contenders[side] for side in assignment]
    players = [player_of(contender.definition, contender.name) for contender in contenders]
    clocks = _clocks(cell, game, contenders)
    seed = cell.match_seed(pair)
    began = time.perf_counter()
    result = play_match(game, players, seed=seed, clocks=clocks, max_steps=cell.max_steps)
    record = result.record
    sides = [[role for role, side in enumerate(assignment) if side == own] for own in range(len(cell.contenders))]
    moves = [_moves(result, roles) for roles in sides]
    told = [condense(players[roles[0]], roles[0]) if roles else None for roles in sides]  # of its first role
    return Row(
        seed=seed,
        goals=record.goals,
        points=points(record.goals, assignment),
        moves=len(record.moves),
        simulations=[sum(result.simulations[role] for role in roles) for roles in sides],
        median_simulations=[_median([move.simulations for move in own]) for own in moves],
        median_rate=[_median([m.simulations / m.seconds for m in own if m.simulations and m.seconds > 0]) for own in moves],
        seconds=time.perf_counter() - began,
        ending=record.ending,
        fault=None if record.fault is None else assignment[record.fault],
        message=record.message[:500],
        overruns=[sum(record.overruns[role] for role in roles) for roles in sides],
        score=record.score,
        mean_simulations=[fmean(move.simulations for move in own) if own else 0.0 for own in moves],
        slowest=[max((move.seconds for move in own), default=0.0) for own in moves],
        trajectories=told if any(told) else [],
        late_moves=[sum(m.seconds > clocks.move_clock for m in own) for own in moves] if clocks.move_clock else [],
    )


def _moves(result: MatchResult, roles: Sequence[int]) -> list[Asked]:
    """The moves of a contender that it searched for; of a video game all ticks."""
    every = result.record.score is not None
    return [move for role in roles for move in result.asked[role] if every or move.simulations]


@lru_cache(maxsize=512)
def _game(spec: str, level: str | None) -> Rules:
    """The game of a cell: read once, whatever happens to its files during a run."""
    return load(spec, level=level)


def _clocks(cell: Cell, game: Rules, contenders: Sequence[Contender]) -> Clocks:
    budgets = [contender.budget for contender in contenders]
    return clocks_for(game, *budgets, start=[c.start_time for c in contenders], disqualify=cell.disqualify)


def _median(values: list[int] | list[float]) -> float:
    return float(median(values)) if values else 0.0


def check_player(cell: Cell, contender: Contender) -> None:
    """Make a player and sit it down: an agent that cannot play this game says so here."""
    game = _game(cell.game, cell.level)
    player = player_of(contender.definition, contender.name)
    reason = player.cannot_play(game, contender.budget)
    if reason is not None:
        raise BadInput(reason)
    player.begin(game, 0, state=game.initial_state(), seed=0, budget=None)
