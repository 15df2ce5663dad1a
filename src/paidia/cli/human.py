"""A person at the keyboard as a player."""

from __future__ import annotations

from paidia.cli.output import progress_console
from paidia.core.budget import Budget
from paidia.core.errors import IllegalMove
from paidia.core.game import Game
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision, Player

__all__ = ["HumanPlayer"]


class HumanPlayer(Player):
    """Shows the board and asks for a move by name."""

    name = "human"

    def cannot_play(self, game: Rules, budget: Budget | None) -> str | None:
        """See `Player`."""
        return None if isinstance(game, Game) else "plays at the keyboard move by move, which is too slow for video games"

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        """See `Player`."""
        self._game, self._role = game, role

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        """See `Player`."""
        legal = state.legal(self._role)
        if len(legal) <= 1:
            return Decision(move=legal[0] if legal else None)
        names = {self._game.move_name(self._role, move): move for move in legal}
        progress_console.print(state.draw(), highlight=False, markup=False)
        while True:
            progress_console.print(f"your move ({self._game.roles[self._role]}), ? lists them: ", end="", markup=False)
            try:
                text = input().strip()
            except EOFError:
                raise IllegalMove("no more input") from None
            if text in names:
                return Decision(move=names[text])
            progress_console.print("  ".join(names) if text == "?" else f"{text!r} is not legal here", markup=False)

    def end(self, goals: list[float], *, score: float | None = None) -> None:
        """See `Player`."""
        progress_console.print(f"your goal: {goals[self._role]:.2f}")
