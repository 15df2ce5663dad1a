"""A GDL match seen from outside: moves go in and out as text, whoever's turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paidia.connect.ggp.messages import MessageError
from paidia.core.game import Game, State
from paidia.games.gdl.net.kernel import legal_names

__all__ = ["Position"]


class Position:
    """One state of a GDL game and the number of joint moves that led to it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.state: State = game.initial_state()
        self.step = 0

    def legal(self, role: int) -> list[str]:
        """The legal moves of a role; a role that only waits has one too."""
        return list(legal_names(self.state, role))

    def fluents(self) -> list[str]:
        """What holds, as KIF text, sorted."""
        state: Any = self.state  # states of GDL games can say so
        return list(state.fluents())

    def fits(self, moves: Sequence[str]) -> bool:
        """Whether a joint move can be played here."""
        if self.state.terminal or len(moves) != self.game.n_roles:
            return False
        return all(text.lower() in {name.lower() for name in self.legal(role)} for role, text in enumerate(moves))

    def play(self, moves: Sequence[str]) -> None:
        """Play a joint move, one text per role.

        Raises:
            MessageError: a move is missing or not legal; the state is then as before.
        """
        game, state = self.game, self.state
        if state.terminal:
            raise MessageError("the game is over")
        if len(moves) != game.n_roles:
            raise MessageError(f"a joint move has {game.n_roles} moves, not {len(moves)}")
        joint: list[int | None] = []
        for role, text in enumerate(moves):
            spelt = {name.lower(): name for name in self.legal(role)}
            if text.lower() not in spelt:
                raise MessageError(f"{text} is not legal for {game.roles[role]}")
            acts = state.mover in (None, role)
            joint.append(game.move_id(role, text) if acts else None)
        state.play(joint)
        self.step += 1
