"""Compare recorded statistics: many games of a random player must look alike on average.

Means are compared by the difference in units of its standard error (both samples' spread), shares of won,
lost and open games likewise. With some ten thousand comparisons in the whole collection a limit of 5.5 leaves
less than one chance in a thousand that a right engine fails; the seeds are fixed, so the outcome is the same
every time.
"""

from __future__ import annotations

import math

from paidia.core.machine.sums import Sums
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState
from paidia.games.vgdl.views.conform import Record

__all__ = ["compare_statistics"]

LIMIT = 5.5
MOMENTS = (50, 100, 200, 300)


def compare_statistics(game: VgdlGame, record: Record, *, runs: int = 300) -> str:
    """Play `runs` random games; returns the first mean that is too far from the recorded one, or an empty
    text.
    """
    values: dict[tuple[int, str], Sums] = {}
    ends = Sums()
    winners = {1: 0, 0: 0, -1: 0}
    state: VgdlState = game.initial_state()
    start: VgdlState = game.initial_state()
    for run in range(runs):
        state.copy_from(start)
        state.seed(7_000_003 * (run + 1))
        for moment in MOMENTS:
            state.random_run(31 * run + moment, moment - state.tick)
            values.setdefault((moment, ""), Sums()).add(state.score)
            for name, n in zip(game.types, state.counts(), strict=True):
                values.setdefault((moment, name), Sums()).add(n)
        ends.add(state.tick)
        winners[state.winner] += 1
    n = int(record["runs"])
    problem = apart("end", record["end_mean"], record["end_std"], n, ends)
    for key, winner in (("win", 1), ("loss", 0), ("open", -1)):
        share, ours = record[key] / n, winners[winner] / runs
        pooled = (record[key] + winners[winner]) / (n + runs)
        error = math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / runs))
        if abs(share - ours) > LIMIT * error:
            problem = problem or f"{key}: expected {share:.1%} of games, got {ours:.1%}"
    for moment in MOMENTS:
        recorded = record["at"][str(moment)]
        mean, spread = recorded["score"]
        problem = problem or apart(f"score at {moment}", mean, spread, n, values[moment, ""])
        for name in game.types:
            mean, spread = recorded["counts"].get(name, (0.0, 0.0))
            problem = problem or apart(f"{name} at {moment}", mean, spread, n, values[moment, name])
    return problem


def apart(what: str, mean: float, spread: float, n: int, ours: Sums) -> str:
    """Whether two means differ by more than chance allows."""
    # a spread of 0 in a small sample only says that the rare did not happen: allow it one event
    error = math.sqrt(max(spread**2, 1 / n) / n + max(ours.variance, 1 / ours.n) / ours.n)
    if abs(mean - ours.mean) > LIMIT * error:
        return f"{what}: expected a mean of {mean:g} (+-{spread:g}), got {ours.mean:.4g}"
    return ""
