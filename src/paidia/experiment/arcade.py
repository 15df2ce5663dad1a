"""One match of a video game's cell: one player, one level."""

from __future__ import annotations

import time
from statistics import fmean, median

from paidia.core.arcade_player import ArcadePlayer
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.experiment.cells import Cell, Contender
from paidia.experiment.games import arcade_game
from paidia.experiment.row import Row
from paidia.experiment.trajectories import condense
from paidia.match.arcade import ArcadeClocks, play_arcade
from paidia.players.registry import ARCADE_KINDS

__all__ = ["check_arcade_player", "play_video_game"]


def play_video_game(cell: Cell, pair: int) -> Row:
    """Play the match of a cell with one number."""
    (contender,) = cell.contenders
    clocks = _clocks(cell, contender)
    player = _player(contender, clocks)
    seed = cell.match_seed(pair)
    game = arcade_game(cell.game, cell.level)
    limit = cell.max_steps if cell.max_steps < game.max_ticks else 0  # a game ends by its own limit, if it gets so far
    began = time.perf_counter()
    result = play_arcade(game, player, seed=seed, clocks=clocks, max_ticks=limit)
    record = result.record
    made = [record.simulations[tick] for tick in result.asked]
    rates = [n / seconds for n, seconds in zip(made, result.ticks, strict=True) if n and seconds > 0]
    return Row(
        seed=seed,
        goals=[float(record.winner)],
        points=float(record.winner),
        moves=len(record.actions),
        simulations=[sum(made)],
        median_simulations=[float(median(made)) if made else 0.0],
        median_rate=[median(rates) if rates else 0.0],
        seconds=time.perf_counter() - began,
        ending=record.ending,
        fault=None if record.ending in ("terminal", "tick limit") else 0,
        message=record.message[:500],
        overruns=[record.overruns],
        score=record.score,
        mean_simulations=[fmean(made) if made else 0.0],
        slowest=[result.slowest],
        trajectories=[told] if (told := condense(player)) else [],
        late_moves=[sum(took > clocks.tick for took in result.ticks)] if clocks.tick else [],
    )


def _clocks(cell: Cell, contender: Contender) -> ArcadeClocks:
    """Nobody looks at a clock where the budget is a number of simulations."""
    if contender.budget is None or contender.budget.simulations:
        return ArcadeClocks(0.0, 0.0)
    return ArcadeClocks(contender.start_time, contender.budget.seconds, disqualify=cell.disqualify)


def _player(contender: Contender, clocks: ArcadeClocks) -> ArcadePlayer:
    kind = contender.definition.kind
    if kind not in ARCADE_KINDS:
        raise BadInput("does not play video games")
    budget = Budget(seconds=clocks.thinking) if clocks.disqualify else contender.budget
    return ARCADE_KINDS[kind](contender.name, contender.definition, budget)


def check_arcade_player(cell: Cell, contender: Contender) -> None:
    """Make a player: an agent that cannot play video games says so here."""
    _player(contender, _clocks(cell, contender))
