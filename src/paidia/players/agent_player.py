"""A player that an agent's definition describes: the base of all kinds of players."""

from __future__ import annotations

from typing import ClassVar

from paidia.core.budget import Budget
from paidia.core.hidden import needs_sight
from paidia.core.model import Rules
from paidia.core.player import Player
from paidia.players.definition import AgentDefinition

__all__ = ["AgentPlayer"]


class AgentPlayer(Player):
    """A player of one kind.

    Attributes:
        searches: Whether it needs a budget.
        own_search: Whether `build_search` makes the search that it decides by.
    """

    searches: ClassVar[bool] = False
    own_search: ClassVar[bool] = False

    def __init__(self, name: str, definition: AgentDefinition) -> None:
        self.name, self.definition = name, definition
        self.ponders = definition.ponder

    def cannot_play(self, game: Rules, budget: Budget | None) -> str | None:
        """See `Player`."""
        if self.searches and budget is None:
            return "searches and needs a budget: give --sims N or --time SECONDS"
        return needs_sight(game, self.partial_information)
