"""A seat at the table: what a match needs from a player, whoever or whatever it is."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from paidia.core.game import Game, State

__all__ = ["Decision", "Player"]


class Decision(msgspec.Struct, frozen=True):
    """What a player answers.

    Attributes:
        move: The chosen move; None where the role does not act.
        simulations: Simulations that the choice rests on, 0 if the player does not simulate.
        value: The player's own estimate of its goal in [0, 1], None if it has none.
        notes: Anything else worth recording with the match (plain data).
    """

    move: int | None
    simulations: int = 0
    value: float | None = None
    notes: dict[str, Any] | None = None


class Player(Protocol):
    """One player in one seat of one match after another.

    A player whose search parameters change while it plays may also have `trajectory()`: what it did with them in this match,
    as plain data (dictionaries, lists, text, numbers; `control/trajectory.py` describes ours), or None. The referee finds it
    by its name, asks for it once the match is over, and puts it into the record.
    """

    name: str

    def begin(self, game: Game, role: int, *, seed: int, start_clock: float) -> None:
        """A match starts; whatever takes longer than the start clock (seconds, 0: none) counts as an overrun."""

    def act(self, state: State, step: int) -> Decision:
        """Choose a move in `state`, which must not be changed, after `step` joint moves."""

    def end(self, goals: list[float]) -> None:
        """The match is over."""
