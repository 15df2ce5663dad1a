"""A player that moves uniformly at random: the floor of every comparison. In a video game NIL is one of its actions."""

from __future__ import annotations

import random

from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision
from paidia.players.agent_player import AgentPlayer
from paidia.players.registry import KINDS

__all__ = ["RandomPlayer"]

NIL = 0


@KINDS.register("random")
class RandomPlayer(AgentPlayer):
    """Uniformly random legal moves."""

    partial_information = True

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        """See `Player`."""
        self._role = role
        self._always = [NIL] if isinstance(game, ArcadeGame) else []  # possible, though not in the list of legal moves
        self._random = random.Random(seed)

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        """See `Player`."""
        moves = [*state.legal(self._role), *self._always]
        return Decision(move=self._random.choice(moves) if moves else None)
