"""A player that moves uniformly at random: the floor of every comparison."""

from __future__ import annotations

import random

from paidia.core.budget import Budget
from paidia.core.game import Game, State
from paidia.core.player import Decision
from paidia.players.definition import AgentDefinition
from paidia.players.registry import KINDS

__all__ = ["RandomPlayer"]


@KINDS.register("random")
class RandomPlayer:
    """Uniformly random legal moves."""

    def __init__(self, name: str, definition: AgentDefinition, budget: Budget | None) -> None:
        self.name = name

    def begin(self, game: Game, role: int, *, seed: int, start_clock: float) -> None:
        self._role = role
        self._random = random.Random(seed)

    def act(self, state: State, step: int) -> Decision:
        legal = state.legal(self._role)
        return Decision(move=self._random.choice(legal) if legal else None)

    def end(self, goals: list[float]) -> None:
        pass
