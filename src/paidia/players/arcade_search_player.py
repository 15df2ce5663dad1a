"""A player of video games that searches, as the `[arcade]` table of its definition says."""

from __future__ import annotations

from typing import Any

import msgspec

from paidia.control import make_controller
from paidia.control.tuner import Tuner
from paidia.core.arcade import ArcadeGame, ArcadeState
from paidia.core.budget import Budget
from paidia.core.errors import BadInput, PaidiaError
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision
from paidia.core.settings import read_settings
from paidia.players.agent_player import AgentPlayer
from paidia.players.definition import AgentDefinition
from paidia.players.registry import KINDS
from paidia.search.arcade.registry import ARCADE_SEARCHES

__all__ = ["ArcadeSearchPlayer", "build_arcade_search"]


def build_arcade_search(definition: AgentDefinition) -> Any:
    """The search (`search.arcade.base.ArcadeSearch`) that an agent's definition describes."""
    table = dict(definition.arcade)
    name = table.pop("search", None)
    if not isinstance(name, str):
        raise BadInput(f"[arcade] needs a search, one of {', '.join(ARCADE_SEARCHES)}")
    kind = ARCADE_SEARCHES[name]
    settings = read_settings(kind.Settings, table, where=f"[arcade] search = {name!r}")
    return kind(settings, controller=make_controller(definition.control) if definition.control else None)


@KINDS.register("arcade")
class ArcadeSearchPlayer(AgentPlayer):
    """One search that lives through a game."""

    plays = ArcadeGame
    elsewhere = "plays video games only"
    searches = True

    def __init__(self, name: str, definition: AgentDefinition) -> None:
        super().__init__(name, definition)
        try:  # a wrong name or setting is told here, not in the middle of a game
            self.search = build_arcade_search(definition)
        except PaidiaError as error:
            raise BadInput(f"agent {name}: {error}") from None

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        """See `Player`."""
        self.search.begin_game(game, state, seed=seed, start=budget)

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        """See `Player`."""
        assert isinstance(state, ArcadeState)
        result = self.search.choose(state, budget)
        notes = {"actions": msgspec.to_builtins(result.actions), "advances": result.advances, **result.notes}
        return Decision(move=result.action, simulations=result.simulations, notes=notes)

    def trajectory(self, *, most_used: int = 20) -> dict[str, Any] | None:
        """What the controller did in this game, None if it chooses nothing."""
        controller = self.search.controller
        return msgspec.to_builtins(controller.trajectory(most_used=most_used)) if isinstance(controller, Tuner) else None
