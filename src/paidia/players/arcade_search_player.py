"""A player of video games that searches, as the `[arcade]` table of its definition says."""

from __future__ import annotations

from typing import Any

import msgspec

from paidia.control import make_controller
from paidia.core.arcade import ArcadeGame, ArcadeState
from paidia.core.arcade_player import ArcadeDecision
from paidia.core.budget import Budget
from paidia.core.errors import BadInput, PaidiaError
from paidia.core.settings import read_settings
from paidia.players.definition import AgentDefinition
from paidia.players.registry import ARCADE_KINDS
from paidia.search.arcade.registry import ARCADE_SEARCHES

__all__ = ["START_TICKS", "ArcadeSearchPlayer", "build_arcade_search"]

#: With a budget of simulations, the time before the game is worth this many ticks: 1 s of 40 ms.
START_TICKS = 25


def build_arcade_search(definition: AgentDefinition) -> Any:
    """The search (`search.arcade.base.ArcadeSearch`) that an agent's definition describes."""
    table = dict(definition.arcade)
    name = table.pop("search", None)
    if not isinstance(name, str):
        raise BadInput(f"[arcade] needs a search, one of {', '.join(ARCADE_SEARCHES)}")
    kind = ARCADE_SEARCHES[name]
    settings = read_settings(kind.Settings, table, where=f"[arcade] search = {name!r}")
    return kind(settings, controller=make_controller(definition.control) if definition.control else None)


@ARCADE_KINDS.register("arcade")
class ArcadeSearchPlayer:
    """One search that lives through a game."""

    def __init__(self, name: str, definition: AgentDefinition, budget: Budget | None) -> None:
        if budget is None:
            raise BadInput(f"agent {name} searches and needs a budget: give --sims N or --time SECONDS")
        try:  # a wrong name or setting is told here, not in the middle of a game
            self.search = build_arcade_search(definition)
        except PaidiaError as error:
            raise BadInput(f"agent {name}: {error}") from None
        self.name = name
        self.definition = definition
        self.budget = budget

    def begin(self, game: ArcadeGame, state: ArcadeState, *, seed: int, start_clock: float) -> None:
        start = None
        if self.budget.simulations:
            start = Budget(simulations=START_TICKS * self.budget.simulations)
        elif start_clock > 0:
            start = Budget(seconds=start_clock)
        self.search.begin_game(game, state, seed=seed, start=start)

    def act(self, state: ArcadeState) -> ArcadeDecision:
        result = self.search.choose(state, self.budget)
        notes = {"actions": msgspec.to_builtins(result.actions), "advances": result.advances, **result.notes}
        return ArcadeDecision(action=result.action, simulations=result.simulations, notes=notes)

    def end(self, score: float, winner: int) -> None:
        pass

    def trajectory(self, *, most_used: int = 20) -> dict[str, Any] | None:
        """What the controller did in this game (`control/trajectory.py`) as plain data; None without one that keeps a record."""
        tell = getattr(self.search.controller, "trajectory", None)
        return msgspec.to_builtins(tell(most_used=most_used)) if tell is not None else None
