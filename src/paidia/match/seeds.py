"""What is random in a match, and where its seeds come from.

Branches of the match's seed: first chance in the game (where it has any), then the seats in their order, then what is shown
to the players, whose future must not be the real one.
"""

from __future__ import annotations

from paidia.core.model import Rules, Situation
from paidia.core.seeds import spawn

__all__ = ["MatchSeeds"]


class MatchSeeds:
    """The seeds of one match of a game."""

    def __init__(self, game: Rules, seed: int) -> None:
        self._game, self._seed = game, seed
        self._first = 1 if game.chance else 0  # branch of the first seat

    def start(self) -> Situation:
        """The state in which the match starts."""
        state = self._game.initial_state()
        if self._game.chance:
            state.seed(spawn(self._seed, 0))
        return state

    def seat(self, role: int) -> int:
        """The seed of a player."""
        return spawn(self._seed, self._first + role)

    def view(self, state: Situation, number: int) -> Situation:
        """What a player sees of a state: a copy, with another future. 0 is before the match, then come the steps."""
        view = state.clone()
        if self._game.chance:
            view.seed(spawn(self._seed, self._first + self._game.n_roles, number))
        return view
