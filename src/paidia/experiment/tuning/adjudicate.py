"""Matches that are stopped early and judged: what their last position is worth when everybody plays on at random.

A match costs as much as its searches; random games from where it stands cost next to nothing in lanes (docs/lanes.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from paidia.core.errors import RuleError
from paidia.core.game import Game, State
from paidia.core.seeds import spawn
from paidia.experiment.cells import Cell
from paidia.experiment.metrics import points
from paidia.experiment.play import cell_game, play_until
from paidia.experiment.tuning.evaluate import Score, refuse_faults
from paidia.games.gdl.lanes.judge import Judge, judge_of

if TYPE_CHECKING:
    from paidia.experiment.tuning.plan import TunePlan

__all__ = ["adjudicated_points", "check_adjudication", "mean_points", "score_of"]

#: Branch of a match's seed.
JUDGE = 0x6A


def score_of(plan: TunePlan, usual: Score) -> Score:
    """How matches of a plan are judged."""
    if not plan.adjudicate:
        return usual
    return partial(adjudicated_points, steps=plan.adjudicate, playouts=plan.playouts)


def check_adjudication(plan: TunePlan, cells: Sequence[Cell], file: str) -> None:
    """Refuse a plan that would stop matches of which nobody can tell what they are worth."""
    for cell in cells:
        if plan.adjudicate and not isinstance(cell_game(cell), Game):
            raise RuleError(f"adjudicate needs games with goals, and {cell.label} is a video game; leave it out", file=file)


def adjudicated_points(cell: Cell, pair: int, seat: int, *, steps: int, playouts: int) -> float:
    """The points of the agent in one match of at most so many joint moves.

    Where it is not over then, the mean of its points over random games from there. They depend on the match's seed and on
    nothing else; the seats of a pair have the same one, so that equal agents share the points.
    """
    result, last = play_until(cell, pair, seat, min(steps, cell.max_steps))
    refuse_faults(cell, result.record.ending, result.record.message)
    assignment = cell.seats[seat]
    if result.record.ending != "step limit" or last is None or last.terminal:
        return points(result.record.goals, assignment)
    assert isinstance(last, State)
    seed = spawn(cell.match_seed(pair), JUDGE)
    return mean_points(_judge(last.game).goals(last, playouts, seed), assignment)


@lru_cache(maxsize=64)
def _judge(game: Game) -> Judge:
    """Built once in a process; games are too (`experiment.play`)."""
    return judge_of(game)


def mean_points(goals: NDArray[np.float64], assignment: Sequence[int]) -> float:
    """The mean of the agent's points (`metrics.points`) over games whose goals are rows."""
    found, counts = np.unique(goals, axis=0, return_counts=True)
    total = sum((points(row, assignment) * n for row, n in zip(found.tolist(), counts.tolist(), strict=True)), 0.0)
    return total / len(goals)
