"""What a role knows of a game that hides something: its own moves, what it has seen, and what it may do now."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from paidia.core.errors import BadInput
from paidia.core.model import Rules, Situation

__all__ = ["Glimpse", "HiddenRules", "HiddenSituation", "hides", "needs_sight"]


@runtime_checkable
class HiddenRules(Protocol):
    """Rules of such a game: their states tell percepts."""

    hidden: bool


@runtime_checkable
class HiddenSituation(Protocol):
    """A state of such a game."""

    def percepts(self, role: int) -> list[str]:
        """What a role sees of the step that led here."""


def hides(game: Rules) -> bool:
    """Whether a game hides something from its roles."""
    return isinstance(game, HiddenRules) and game.hidden


def needs_sight(game: Rules, partial_information: bool) -> str | None:
    """Why a player that needs the whole state cannot play a game; None if it can."""
    if partial_information or not hides(game):
        return None
    return f"needs to see everything, and {game.id} hides something from its roles: take pimc or random"


class Glimpse:
    """What the referee shows a role instead of the state.

    Attributes:
        game: The rules.
        role: Whose view it is.
        moves: What the role has done, step by step.
        percepts: What it has seen of each step.
    """

    terminal = False

    def __init__(
        self, state: Situation, role: int, moves: tuple[int | None, ...] = (), percepts: tuple[tuple[str, ...], ...] = ()
    ) -> None:
        self.game, self.role, self.moves, self.percepts = state.game, role, moves, percepts
        self._legal = state.legal(role)

    def legal(self, role: int) -> list[int]:
        """The legal moves of the role; of others it knows nothing."""
        if role != self.role:
            raise BadInput(f"{self.game.roles[self.role]} cannot see what {self.game.roles[role]} may do in {self.game.id}")
        return list(self._legal)

    def clone(self) -> Glimpse:
        """Itself: nothing changes it."""
        return self

    def draw(self) -> str:
        """For a person: what was done and seen so far."""
        lines = []
        for step, (move, seen) in enumerate(zip(self.moves, self.percepts, strict=True), start=1):
            did = "-" if move is None else self.game.move_name(self.role, move)
            lines.append(f"{step:3}  {did:20}  sees {', '.join(seen) or 'nothing'}")
        return "\n".join(lines) or "nothing has happened yet"
