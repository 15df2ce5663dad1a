"""A person at the keyboard as a player."""

from __future__ import annotations

from paidia.cli.output import progress_console
from paidia.core.errors import IllegalMove
from paidia.core.game import Game, State
from paidia.core.player import Decision

__all__ = ["HumanPlayer"]


class HumanPlayer:
    """Shows the board and asks for a move by name."""

    name = "human"

    def begin(self, game: Game, role: int, *, seed: int, start_clock: float) -> None:
        self._game, self._role = game, role

    def act(self, state: State, step: int) -> Decision:
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

    def end(self, goals: list[float]) -> None:
        progress_console.print(f"your goal: {goals[self._role]:.2f}")
