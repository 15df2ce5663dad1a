"""A rehearsal: a search plays a game of one role alone on a copy of its start, with little effort for each move.

What comes out is what the real game will be like with that search, as far as effort does not change it. Where nothing depends on
chance the moves of a rehearsal that went well can simply be played again.
"""

from __future__ import annotations

from typing import Any

import msgspec

from paidia.core.arcade import ArcadeState
from paidia.core.errors import PaidiaError
from paidia.core.model import Situation
from paidia.players.champion.meter import Meter
from paidia.search.frame.search import Search

__all__ = ["Rehearsed", "rehearse"]

NIL = 0


class Rehearsed(msgspec.Struct, frozen=True):
    """How a rehearsal went.

    Attributes:
        moves: What was played.
        keys: Identity of the state before each move.
        result: 1 won (or goal 1), -1 lost (or goal 0), between the two for other goals; 0 where a video game did not end.
        value: The score or goal in the end.
        over: It came to its end by the rules.
        simulations: Simulations that it took.
    """

    moves: list[int]
    keys: list[int]
    result: float
    value: float
    over: bool
    simulations: int


def rehearse(
    search: Search, start: Situation, meter: Meter, *, effort: float, longest: int, seed: int, ahead: float = 0.0
) -> Rehearsed:
    """Let a search play from `start` on.

    Args:
        search: Who plays; a match of its own begins and ends here.
        start: Where; it is not changed.
        meter: The rehearsal ends when it is empty.
        effort: Simulations or seconds for each move.
        longest: Moves at most.
        seed: Of the search, and of what chance does here.
        ahead: Simulations or seconds before the first move.
    """
    state = start.clone()
    if state.game.chance:
        state.seed(seed & (2**63 - 1))
    search.begin_game(seed)
    moves: list[int] = []
    keys: list[int] = []
    simulations = 0
    try:
        if ahead > 0.0 and not meter.empty:
            thought = search.think_ahead(_view(state, seed), meter.budget(ahead))
            if thought is not None:
                meter.took(thought)
                simulations += thought.simulations
        while not state.terminal and len(moves) < longest and not meter.empty:
            legal = state.legal(0)
            if len(legal) == 1 and not state.game.chance:
                move: int | None = legal[0]
            else:
                result = search.search(_view(state, seed + len(moves)), meter.budget(effort), role=0, step=len(moves))
                meter.took(result)
                simulations += result.simulations
                move = result.move
            played = NIL if move is None else move
            keys.append(state.key)
            moves.append(played)
            state.play(played)
    except PaidiaError:  # a search that cannot go on has rehearsed badly; the match goes on with another
        return Rehearsed(moves, keys, -1.0, 0.0, False, simulations)
    return Rehearsed(moves, keys, *_outcome(state), simulations)


def _view(state: Situation, seed: int) -> Situation:
    """What a player is shown: a copy that does not tell what chance will do."""
    view = state.clone()
    if state.game.chance:
        view.seed((seed * 0x9E3779B97F4A7C15 + 1) & (2**63 - 1))
    return view


def _outcome(state: Any) -> tuple[float, float, bool]:
    if isinstance(state, ArcadeState):
        winner = state.winner
        return (1.0 if winner == 1 else -1.0 if state.terminal else 0.0), state.score, state.terminal
    goal = float(state.values[0]) if state.terminal else 0.0
    return 2.0 * goal - 1.0, goal, bool(state.terminal)
