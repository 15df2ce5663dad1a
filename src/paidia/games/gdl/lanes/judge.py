"""What a position is worth when everybody plays on at random: the goals of many games from there, in lanes where possible."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from paidia.core.errors import BadInput
from paidia.core.game import Game, State
from paidia.core.lanes.leaves import Leaves
from paidia.core.seeds import spawn
from paidia.games.gdl.lanes.playouts import LIMIT
from paidia.games.gdl.lanes.processor.leaves import LANES

__all__ = ["Judge", "LaneJudge", "StateJudge", "judge_of"]


class Judge(Protocol):
    """Plays random games from a position."""

    def goals(self, state: State, games: int, seed: int) -> NDArray[np.float64]:
        """The goals (games, roles) of random games; the same for the same position, number and seed, wherever it runs."""


def judge_of(game: Game) -> Judge:
    """Lanes for a rule sheet that has a lane program, else one state after the other."""
    leaves = game.leaves(LANES)
    return StateJudge(game) if leaves is None else LaneJudge(leaves)


class LaneJudge:
    """Random games of a rule sheet, a game in each lane."""

    def __init__(self, leaves: Leaves) -> None:
        self._leaves = leaves

    def goals(self, state: State, games: int, seed: int) -> NDArray[np.float64]:
        blocks = range(-(-games // LANES))
        return np.concatenate([self._leaves.means([state] * LANES, seed=spawn(seed, block)) for block in blocks])[:games]


class StateJudge:
    """Random games of any game with goals, one after the other."""

    def __init__(self, game: Game) -> None:
        self._name = game.id

    def goals(self, state: State, games: int, seed: int) -> NDArray[np.float64]:
        seeds = np.random.default_rng(seed).integers(2**64, size=games, dtype=np.uint64)
        found = np.empty((games, state.game.n_roles))
        copy = state.clone()
        for row, own in zip(found, seeds.tolist(), strict=True):
            copy.copy_from(state)
            copy.seed(own)  # of chance in the rules, where there is any
            copy.random_playout(own, LIMIT)
            if not copy.terminal:
                raise BadInput(f"{self._name}: a random game lasts longer than {LIMIT:,} joint moves")
            row[:] = copy.goals
        return found
