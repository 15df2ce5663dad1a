"""Trial matches: searches play against each other on copies of the start, to find out which of them suits the game.

The first is the incumbent. In each round every challenger that is left meets it in a pair of matches with the roles changed;
whoever has made less than a quarter of the points after two rounds, or later, is out. In the end the challenger that is most
probably better takes the place of the incumbent, if that probability is `sure` at least: points are taken for a share of wins
whose prior is Beta(4, 4), since agents that are any good are seldom far apart, and the posterior for a normal distribution.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import Any

import msgspec

from paidia.core.model import Situation
from paidia.players.champion.features import goals_of
from paidia.players.champion.meter import Meter
from paidia.search.frame.search import Search

PRIOR = 4.0  # wins and losses that are taken for granted before the first match

__all__ = ["Trials", "choose", "trial_matches"]


class Trials(msgspec.Struct, frozen=True):
    """What trial matches have shown.

    Attributes:
        points: Of each search against the incumbent, match by match; the incumbent itself has none.
        chosen: Which of them is to play.
        simulations: Simulations of all matches.
    """

    points: list[list[float]]
    chosen: int
    simulations: int


def trial_matches(
    searches: Sequence[Search], start: Situation, meter: Meter, *, effort: float, longest: int, seed: int, sure: float
) -> Trials:
    """Let searches play until the meter is empty.

    Args:
        searches: Who plays, the incumbent first.
        start: Where; it is not changed.
        meter: What all matches together may use.
        effort: Simulations or seconds for each move.
        longest: Joint moves of a match; the goals of its last state count then.
        seed: Of everything random in it.
        sure: Probability of being better that a challenger needs.
    """
    points: list[list[float]] = [[] for _ in searches]
    left = list(range(1, len(searches)))
    number = simulations = 0
    while left and not meter.empty:
        for challenger in list(left):
            pair: list[float] = []
            for seat in (0, 1):
                goals, done = _match(searches[challenger], searches[0], seat, start, meter, effort, longest, seed + number)
                number += 1
                simulations += done
                if goals is not None:
                    pair.append(goals)
            if len(pair) == 2:  # a match that was cut short says nothing, and its twin would be unfair
                points[challenger] += pair
            if meter.empty:
                break
        left = [each for each in left if len(points[each]) < 4 or statistics.fmean(points[each]) >= 0.25]
    return Trials(points, choose(points, sure), simulations)


def choose(points: Sequence[Sequence[float]], sure: float) -> int:
    """The best challenger that is surely enough better than the incumbent, or the incumbent (0)."""
    best, highest = 0, sure
    for number, own in enumerate(points):
        if number and own:
            won, lost = PRIOR + sum(own), PRIOR + len(own) - sum(own)
            mean, n = won / (won + lost), won + lost
            spread = math.sqrt(won * lost / (n * n * (n + 1.0)))
            probability = statistics.NormalDist().cdf((mean - 0.5) / spread)
            if probability > highest:
                best, highest = number, probability
    return best


def _match(
    one: Search, other: Search, seat: int, start: Situation, meter: Meter, effort: float, longest: int, seed: int
) -> tuple[float | None, int]:
    """Points of the first, who holds every second role from `seat` on; None if the meter ran empty."""
    state = start.clone()
    if state.game.chance:
        state.seed(seed & (2**63 - 1))
    n = state.game.n_roles
    players = [one if role % 2 == seat else other for role in range(n)]
    for search in (one, other):
        search.begin_game(seed)
    simulations = step = 0
    while not state.terminal and step < longest:
        joint: list[Any] = [None] * n
        for role in range(n):
            legal = state.legal(role)
            if len(legal) > 1:
                if meter.empty:
                    return None, simulations
                result = players[role].search(state.clone(), meter.budget(effort), role=role, step=step)
                meter.took(result)
                simulations += result.simulations
                joint[role] = result.move
            elif legal:
                joint[role] = legal[0]
        state.play(joint)
        step += 1
    goals = goals_of(state)
    mine = max(goal for role, goal in enumerate(goals) if role % 2 == seat)
    theirs = max(goal for role, goal in enumerate(goals) if role % 2 != seat)
    return (1.0 if mine > theirs else 0.0 if mine < theirs else 0.5), simulations
