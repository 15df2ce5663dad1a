"""A seat at the table: what a match needs from a player, whoever or whatever it is, in every kind of game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import msgspec

from paidia.core.budget import Budget
from paidia.core.model import Rules, Situation

__all__ = ["Decision", "Player"]


class Decision(msgspec.Struct, frozen=True):
    """What a player answers.

    Attributes:
        move: The chosen move, of a video game the number of an action; None where the role does not act.
        simulations: Simulations that the choice rests on, 0 if the player does not simulate.
        value: The player's own estimate of its goal in [0, 1], None if it has none.
        notes: Anything else worth showing (plain data); it is not recorded.
    """

    move: int | None
    simulations: int = 0
    value: float | None = None
    notes: dict[str, Any] | None = None


class Player(ABC):
    """One player in one seat of one match after another.

    A player has no clock of its own: whoever runs the match says before the first move and with every move what may be used.
    States that it is given are copies with a generator of their own (where the game has one): they do not tell what chance
    will do in the match.
    """

    name: str
    ponders: bool = False  # it searches in steps without a choice too, for later

    #: Whether it can play where it is shown a part of the state only (`core/hidden.py`).
    partial_information: ClassVar[bool] = False

    def cannot_play(self, game: Rules, budget: Budget | None) -> str | None:
        """Why it cannot sit down at this game with such a budget for a move; None if it can."""
        return None

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:  # noqa: B027
        """A match starts in `state`; `budget` is what may be used before the first move, None for nothing."""

    @abstractmethod
    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        """Choose a move in `state`, which is left as it is, after `step` joint moves, within `budget`.

        The budget is None where no search is wanted: there is nothing to choose, or it is a match without searches.
        """

    def played(self, joint: list[int | None]) -> None:  # noqa: B027
        """The joint move that was played in the state that it was last shown; None where a role did not act."""

    def stop(self) -> None:  # noqa: B027
        """Another thread asks it to answer at once, with what it has; a player that cannot takes the time it was given."""

    def end(self, goals: list[float], *, score: float | None = None) -> None:  # noqa: B027
        """The match is over, with these goals of all roles, and in a video game with this score."""

    def trajectory(self, *, most_used: int = 20) -> dict[str, Any] | None:
        """What it did with its search parameters in this match, as plain data; None if it leaves them alone.

        `control/trajectory.py` describes ours; `most_used` is how many combinations of values are told.
        """
        return None
