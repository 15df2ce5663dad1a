"""A game of OpenSpiel as a game of paidia: turn-taking or simultaneous, with chance, of perfect information.

Moves are the actions there; what chance does is drawn right after a move, from a generator of the state. Goals are returns,
brought from the game's least and largest utility to 0 and 1. A position is told apart by the moves that led to it, so nothing
that OpenSpiel takes into account (repetitions, clocks) is ever lost; the price is that move orders that meet are two positions.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paidia.core.errors import BadInput, IllegalMove
from paidia.core.python.python_game import PythonGame, PythonState
from paidia.games.openspiel.world import why_not

__all__ = ["SpielGame", "SpielState"]

MASK = (1 << 64) - 1


class SpielGame(PythonGame):
    """The rules of a game of OpenSpiel; `spiel` is the game there."""

    def __init__(self, id: str, spiel: Any) -> None:
        if (reason := why_not(spiel)) is not None:
            raise BadInput(f"{id} cannot be played here: {reason}")
        kind = spiel.get_type()
        chance = kind.chance_mode.name != "DETERMINISTIC"
        roles = tuple(f"player{player}" for player in range(spiel.num_players()))
        super().__init__(id, roles, spiel.num_distinct_actions(), chance=chance)
        self.spiel = spiel
        self.low, self.span = spiel.min_utility(), spiel.max_utility() - spiel.min_utility()

    def initial_state(self) -> SpielState:
        return SpielState(self)

    @cached_property
    def _names(self) -> list[list[str]]:
        """By role: what the game calls its moves wherever it is played, or else their numbers."""
        tables = []
        for player in range(self.n_roles):
            names: list[str] = []
            for action in range(self.n_moves):
                try:
                    name = str(self.spiel.action_to_string(player, action))
                except Exception:  # many games do not name a move that is not legal at the start
                    name = ""
                names.append(str(action) if not name or name.startswith("Action(id=") else name.replace("\n", " "))
            twice = {name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else set()
            tables.append([f"{name}#{action}" if name in twice else name for action, name in enumerate(names)])
        return tables

    def move_name(self, role: int, move: int) -> str:
        return self._names[role][move]

    def move_id(self, role: int, name: str) -> int:
        try:
            return self._names[role].index(name)
        except ValueError:
            raise IllegalMove(f"{self.id}: {self.roles[role]} has no move called {name!r}") from None

    def from_text(self, text: str) -> SpielState:
        """The position after these actions, chance included; `-` is the start."""
        state = SpielState(self)
        actions = [] if text.strip() == "-" else text.split()
        at = 0
        while at < len(actions):
            together = self.n_roles if state.simultaneous else 1
            words = actions[at : at + together]
            at += together
            if len(words) < together or not all(word.isascii() and word.isdigit() and len(word) < 10 for word in words):
                raise BadInput(f"{self.id}: a position is the numbers of the actions that led to it, or -; {words} are none")
            state.force([int(word) for word in words])
        state.settle()
        return state

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """That of OpenSpiel's tensor, if the game has one."""
        if self.spiel.get_type().provides_observation_tensor:
            return tuple(self.spiel.observation_tensor_shape())
        return (1024,)

    def like(self, other: object) -> bool:
        return isinstance(other, SpielGame) and str(self.spiel) == str(other.spiel)

    def __reduce__(self) -> Any:
        return _again, (self.id, self.spiel)


def _again(id: str, spiel: Any) -> SpielGame:
    if id.startswith("openspiel:"):
        from paidia.games.openspiel.world import OPENSPIEL

        known = OPENSPIEL.load(id.removeprefix("openspiel:"))
        if str(known.spiel) == str(spiel):
            return known
    return SpielGame(id, spiel)


class SpielState(PythonState):
    """One position; `spiel` is the state there, never at a chance node.

    What chance does before the first move is drawn when the state is first looked at, so that it can be seeded before.
    """

    game: SpielGame

    def __init__(self, game: SpielGame) -> None:
        self._there: Any = game.spiel.new_initial_state()
        self.chance = 0x9E3779B97F4A7C15

    @property
    def spiel(self) -> Any:
        """The state there."""
        if self._there.is_chance_node():
            self.settle()
        return self._there

    @spiel.setter
    def spiel(self, state: Any) -> None:
        self._there = state

    # ---------------------------------------------------------------- chance

    def draw_real(self) -> float:
        """Uniform in [0, 1): SplitMix64."""
        self.chance = (self.chance + 0x9E3779B97F4A7C15) & MASK
        z = self.chance
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return ((z ^ (z >> 31)) >> 11) / (1 << 53)

    def settle(self) -> None:
        """Let chance act wherever it is its turn."""
        state = self._there
        while state.is_chance_node():
            at = self.draw_real()
            outcomes = state.chance_outcomes()
            chosen = outcomes[-1][0]
            for action, probability in outcomes:
                at -= probability
                if at < 0:
                    chosen = action
                    break
            state.apply_action(chosen)

    def reseed(self, seed: int) -> None:
        self.chance = seed & MASK

    # ---------------------------------------------------------------- the contract

    def to_move(self) -> int | None:
        return None if self.spiel.is_terminal() or self.spiel.is_simultaneous_node() else int(self.spiel.current_player())

    def legal_moves(self, role: int) -> list[int]:
        state = self.spiel
        if state.is_terminal():
            return []
        if state.is_simultaneous_node() or state.current_player() == role:
            return list(state.legal_actions(role))
        return []

    def apply(self, joint: tuple[int | None, ...]) -> None:
        state = self.spiel
        if state.is_simultaneous_node():
            state.apply_actions([move if move is not None else 0 for move in joint])
        else:
            state.apply_action(joint[state.current_player()])
        self.settle()

    @property
    def simultaneous(self) -> bool:
        """Whether all roles act here."""
        return bool(self._there.is_simultaneous_node())

    def force(self, actions: list[int]) -> None:
        """Play what a text says, chance included."""
        state = self._there
        if state.is_terminal():
            raise BadInput(f"{self.game.id}: the game is over before all actions of the text are played")
        if state.is_simultaneous_node():
            if any(action not in (state.legal_actions(player) or [0]) for player, action in enumerate(actions)):
                raise BadInput(f"{self.game.id}: {actions} are not legal together here")
            state.apply_actions(actions)
            return
        if actions[0] not in state.legal_actions():
            raise BadInput(f"{self.game.id}: {actions[0]} is not legal here")
        state.apply_action(actions[0])

    def is_terminal(self) -> bool:
        return bool(self.spiel.is_terminal())

    def goal_values(self) -> list[float]:
        game = self.game
        return [min(1.0, max(0.0, (value - game.low) / game.span)) for value in self.spiel.returns()]

    def assign(self, other: PythonState) -> None:
        assert isinstance(other, SpielState)
        self.spiel = other.spiel.clone()
        self.chance = other.chance

    def hash_key(self) -> tuple[int, ...]:
        return tuple(self.spiel.history())

    def draw(self) -> str:
        return f"{self.spiel}\nmoves: {self.to_text()}"

    def to_text(self) -> str:
        return " ".join(map(str, self.spiel.history())) or "-"

    def observe(self, out: NDArray[np.uint8]) -> None:
        if not self.game.spiel.get_type().provides_observation_tensor:
            super().observe(out)
            return
        if out.shape != self.game.observation_shape:
            raise BadInput(f"an observation of {self.game.id} has the shape {self.game.observation_shape}, not {out.shape}")
        tensor = np.asarray(self.spiel.observation_tensor(0)).reshape(out.shape)
        np.copyto(out, np.clip(np.rint(tensor), 0, 255), casting="unsafe")

    def __reduce__(self) -> Any:
        return _state_again, (self.game, self.to_text(), self.chance)


def _state_again(game: SpielGame, text: str, chance: int) -> SpielState:
    state = game.from_text(text)
    state.chance = chance
    return state
