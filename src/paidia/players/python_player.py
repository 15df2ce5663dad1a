"""A player in a Python file of a user: `mine.py:Greedy` names a subclass of `Player` that is made without arguments."""

from __future__ import annotations

from typing import Any

from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.loading.plugins import load_place
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision, Player
from paidia.core.text import told
from paidia.players.agent_player import AgentPlayer
from paidia.players.definition import AgentDefinition
from paidia.players.registry import KINDS

__all__ = ["PythonPlayer"]


@KINDS.register("python")
class PythonPlayer(AgentPlayer):
    """The class of a file, as it is."""

    def __init__(self, name: str, definition: AgentDefinition) -> None:
        super().__init__(name, definition)
        self._own: Player | None = None

    @property
    def own(self) -> Player:
        """The player of the file; its code runs when it is first needed."""
        if self._own is None:
            self._own = _make(self.name, self.definition)
        return self._own

    def cannot_play(self, game: Rules, budget: Budget | None) -> str | None:
        """See `Player`."""
        return self.own.cannot_play(game, budget)

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        """See `Player`."""
        self.own.begin(game, role, state=state, seed=seed, budget=budget)

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        """See `Player`."""
        return self.own.act(state, step=step, budget=budget)

    def played(self, joint: list[int | None]) -> None:
        """See `Player`."""
        self.own.played(joint)

    def end(self, goals: list[float], *, score: float | None = None) -> None:
        """See `Player`."""
        self.own.end(goals, score=score)

    def trajectory(self, *, most_used: int = 20) -> dict[str, Any] | None:
        """See `Player`."""
        return self.own.trajectory(most_used=most_used)


def _make(name: str, definition: AgentDefinition) -> Player:
    """The player of a file: a subclass of `AgentPlayer` is made as those of paidia are, another without arguments."""
    source = definition.source
    kind = load_place(source)
    try:
        own = isinstance(kind, type) and issubclass(kind, AgentPlayer)
        player: object = kind(name, definition) if own else kind() if callable(kind) else None
    except Exception as error:
        raise BadInput(f"{source}: {told(error)}") from None
    if not isinstance(player, Player):
        raise BadInput(f"{source} is no subclass of paidia.Player that is made without arguments")
    return player
