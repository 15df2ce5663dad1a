"""A bot of OpenSpiel by its name, as an agent: `bot:mcts`, `bot:uniform_random` (the extra `openspiel`).

`mcts` is OpenSpiel's search with random playouts and gets as many simulations as our agents do; every other name is looked up
among the bots that are registered there.
"""

from __future__ import annotations

from typing import Any

from paidia.core.budget import Budget
from paidia.core.errors import BadInput, did_you_mean
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision
from paidia.players.agent_player import AgentPlayer
from paidia.players.definition import AgentDefinition

__all__ = ["SpielBotPlayer"]

MCTS = "mcts"


class SpielBotPlayer(AgentPlayer):
    """Seats a bot."""

    def __init__(self, name: str, definition: AgentDefinition) -> None:
        super().__init__(name, definition)
        try:
            import pyspiel

            from paidia.connect.openspiel import BotPlayer
        except ImportError:
            raise BadInput(f"{name} is a bot of OpenSpiel: install the extra `openspiel`") from None
        self._bots = BotPlayer
        self._word = str(definition.planner.get("bot", ""))
        known = [MCTS, *pyspiel.registered_bots()]
        if self._word not in known:
            raise BadInput(f"OpenSpiel has no bot {self._word!r}; {did_you_mean(self._word, known, otherwise=', '.join(known))}")
        self._simulations = 0
        self._bot: Any = None

    def cannot_play(self, game: Rules, budget: Budget | None) -> str | None:
        """See `Player`."""
        if self._word == MCTS:
            if budget is None or not budget.simulations:
                return "counts simulations: give --sims N"
            self._simulations = budget.simulations
        return super().cannot_play(game, budget)

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        """Make the bot for this game."""
        self._role = role
        if self._word == MCTS:
            self._bot = self._bots.mcts(self._simulations or 1)
        else:
            import pyspiel

            self._bot = self._bots(lambda spiel, player, _: pyspiel.load_bot(self._word, spiel, player), self._word)
        self._bot.begin(game, role, state=state, seed=seed, budget=budget)

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        """Ask the bot."""
        if not state.legal(self._role):
            return Decision(None)
        decision: Decision = self._bot.act(state, step=step, budget=budget)
        return decision
