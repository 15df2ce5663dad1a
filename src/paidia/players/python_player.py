"""A player in a Python file of a user: `mine.py:Greedy` names a subclass of `Player` that is made without arguments."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

from paidia.core.budget import Budget
from paidia.core.errors import BadInput
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
            self._own = _make(self.definition.source)
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


def _make(source: str) -> Player:
    path, _, name = source.rpartition(":")
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    if spec is None or spec.loader is None:
        raise BadInput(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(module.__name__, module)  # for what looks itself up there, such as dataclasses
    try:
        spec.loader.exec_module(module)
        player: object = getattr(module, name, None)
        player = player() if callable(player) else None
    except Exception as error:
        raise BadInput(f"{source}: {told(error)}") from None
    if not isinstance(player, Player):
        raise BadInput(f"{path} has no subclass of paidia.Player called {name} that is made without arguments")
    return player
