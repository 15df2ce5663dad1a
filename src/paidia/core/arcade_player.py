"""Who plays a video game: what an arcade match needs from a player."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from paidia.core.arcade import ArcadeGame, ArcadeState

__all__ = ["ArcadeDecision", "ArcadePlayer"]


class ArcadeDecision(msgspec.Struct, frozen=True):
    """What a player answers in one tick.

    Attributes:
        action: Name or number of an action (`core.arcade.ACTIONS`); one that the avatar does not have counts as NIL.
        simulations: Simulations that the choice rests on, 0 if the player does not simulate.
        notes: Anything else worth recording (plain data).
    """

    action: str | int
    simulations: int = 0
    notes: dict[str, Any] | None = None


class ArcadePlayer(Protocol):
    """One player of one video game after another.

    The states that it is given are its own copies, with a generator of their own: it may advance them, and cannot foresee
    with them what chance will do in the game.

    As a player of board games (`core/player.py`) it may have `trajectory()`: what it did with its search parameters in this
    game, as plain data, or None. It is asked for it once the game is over.
    """

    name: str

    def begin(self, game: ArcadeGame, state: ArcadeState, *, seed: int, start_clock: float) -> None:
        """A game starts in `state`; there are `start_clock` seconds to prepare (0: nobody looks at the clock)."""

    def act(self, state: ArcadeState) -> ArcadeDecision:
        """Choose an action for this tick."""

    def end(self, score: float, winner: int) -> None:
        """The game is over: 1 won, 0 lost."""
