"""What the referee has to know of a kind of game: who is asked, what counts as an answer, and how the match is scored.

In an abstract game an answer is a legal move, and the goals of the last state count, also where a match is stopped. In a video
game an action that the avatar does not have counts as NIL, a dead avatar's player is not asked while the world goes on, and a
game that did not come to its end is lost, by both where two play. Who breaks the rules of a match loses it: goal 0, and 1 for
all others.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Literal, cast

from paidia.core.arcade import ArcadeGame, ArcadeState
from paidia.core.errors import IllegalMove
from paidia.core.game import State
from paidia.core.hidden import Glimpse, HiddenSituation, hides
from paidia.core.model import Rules, Situation
from paidia.core.text import interrupted, told

__all__ = ["Ending", "Laws", "laws_of"]

Ending = Literal["terminal", "illegal move", "illegal action", "crash", "step limit", "tick limit", "disqualified", "resigned"]

NIL = 0
NOT_A_MOVE = -1


class Laws(ABC):
    """How a match of one kind of game is judged."""

    illegal: ClassVar[Ending]
    limit: ClassVar[Ending]

    def __init__(self, game: Rules) -> None:
        self.game = game

    @property
    def level(self) -> str | None:
        """The level that is played."""
        return None

    def asks(self, state: Situation, role: int) -> bool:
        """Whether a role's player is asked for its move here; otherwise the role does not act."""
        return True

    def view(self, state: Situation, role: int) -> Situation:
        """What a role is shown of a state."""
        return state

    def played(self, state: Situation, joint: Sequence[int | None]) -> None:  # noqa: B027
        """A joint move has led to this state."""

    @abstractmethod
    def answer(self, state: Situation, role: int, move: object) -> int | None:
        """An answer as the game takes it; `IllegalMove` if it is none."""

    def goals(self, state: Situation, ending: str, fault: int | None) -> list[float]:
        """The goals of all roles."""
        if fault is not None:
            return [0.0 if role == fault else 1.0 for role in range(self.game.n_roles)]
        return self.reached(state, ending)

    @abstractmethod
    def reached(self, state: Situation, ending: str) -> list[float]:
        """The goals of a match without a fault."""

    def score(self, state: Situation) -> float | list[float] | None:
        """The score, where the game has one; of each role, where it has several."""
        return None


class TurnLaws(Laws):
    """Abstract games."""

    illegal = "illegal move"
    limit = "step limit"

    def answer(self, state: Situation, role: int, move: object) -> int | None:
        legal = state.legal(role)
        if move is None and len(legal) <= 1:
            return legal[0] if legal else None
        number = _number(move)
        if number not in legal:
            raise IllegalMove(f"move {told(move)} is not legal")
        return number

    def reached(self, state: Situation, ending: str) -> list[float]:
        assert isinstance(state, State)
        return state.goals


class HiddenLaws(TurnLaws):
    """Abstract games that hide something: a role is shown its own moves and what it has seen, and nothing else."""

    def __init__(self, game: Rules) -> None:
        super().__init__(game)
        self._moves: list[tuple[int | None, ...]] = [()] * game.n_roles
        self._percepts: list[tuple[tuple[str, ...], ...]] = [()] * game.n_roles

    def view(self, state: Situation, role: int) -> Situation:
        return cast(Situation, Glimpse(state, role, self._moves[role], self._percepts[role]))

    def played(self, state: Situation, joint: Sequence[int | None]) -> None:
        for role, move in enumerate(joint):
            self._moves[role] = (*self._moves[role], move)
            self._percepts[role] = (*self._percepts[role], tuple(cast(HiddenSituation, state).percepts(role)))


class TickLaws(Laws):
    """Video games."""

    illegal = "illegal action"
    limit = "tick limit"

    @property
    def level(self) -> str | None:
        assert isinstance(self.game, ArcadeGame)
        return self.game.level

    def asks(self, state: Situation, role: int) -> bool:
        assert isinstance(state, ArcadeState)
        return state.alive_as(role)

    def answer(self, state: Situation, role: int, move: object) -> int | None:
        number = NIL if move is None else _number(move)
        if not 0 <= number < self.game.n_moves:
            raise IllegalMove(f"{told(move)} is no action")
        return number if number in state.legal(role) else NIL

    def reached(self, state: Situation, ending: str) -> list[float]:
        assert isinstance(state, ArcadeState)
        return [float(ending == "terminal" and winner == 1) for winner in state.winners]

    def score(self, state: Situation) -> float | list[float] | None:
        assert isinstance(state, ArcadeState)
        return state.score if self.game.n_roles == 1 else state.scores


def laws_of(game: Rules) -> Laws:
    """The laws of a game."""
    if hides(game):
        return HiddenLaws(game)
    return TickLaws(game) if isinstance(game, ArcadeGame) else TurnLaws(game)


def _number(move: object) -> int:
    """Any kind of whole number as an int, anything else as what is no move; `__index__` is the player's own code."""
    try:
        return operator.index(move)  # type: ignore[arg-type]
    except BaseException as error:
        if interrupted(error):
            raise
        return NOT_A_MOVE
