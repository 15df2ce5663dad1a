"""A player of video games that acts uniformly at random, NIL included."""

from __future__ import annotations

import random

from paidia.core.arcade import ArcadeGame, ArcadeState
from paidia.core.arcade_player import ArcadeDecision
from paidia.core.budget import Budget
from paidia.players.definition import AgentDefinition
from paidia.players.registry import ARCADE_KINDS

__all__ = ["RandomArcadePlayer"]


@ARCADE_KINDS.register("random")
class RandomArcadePlayer:
    """Uniformly random actions."""

    def __init__(self, name: str, definition: AgentDefinition, budget: Budget | None) -> None:
        self.name = name

    def begin(self, game: ArcadeGame, state: ArcadeState, *, seed: int, start_clock: float) -> None:
        self._random = random.Random(seed)

    def act(self, state: ArcadeState) -> ArcadeDecision:
        return ArcadeDecision(self._random.choice([*state.actions, "NIL"]))

    def end(self, score: float, winner: int) -> None:
        pass
