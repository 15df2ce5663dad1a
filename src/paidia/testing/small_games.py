"""Small games for the kits: one in which all roles move at once, and rules that watch what a search plays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paidia.core.game import Game, State
from paidia.core.python.python_game import PythonGame, PythonState

__all__ = ["Together", "Watched"]


class Together(PythonGame):
    """Every role chooses at the same time, three times; goals depend on the sums of two roles."""

    def __init__(self, n_roles: int = 2) -> None:
        super().__init__(f"together-{n_roles}", [f"role{i}" for i in range(n_roles)], 3)

    def initial_state(self) -> State:
        return _TogetherState(self)


class _TogetherState(PythonState):
    def __init__(self, game: Game) -> None:
        self.rounds: tuple[tuple[int | None, ...], ...] = ()

    def legal_moves(self, role: int) -> Sequence[int]:
        # The last role runs out of choices first, so that lists of moves differ, and single moves come up.
        return range(max(1, 3 - len(self.rounds) - role))

    def apply(self, joint: tuple[int | None, ...]) -> None:
        self.rounds = (*self.rounds, joint)

    def is_terminal(self) -> bool:
        return len(self.rounds) == 3

    def goal_values(self) -> Sequence[float]:
        n = self.game.n_roles
        total = [sum((joint[role] or 0) for joint in self.rounds) for role in range(n)]
        return [((total[role] + 2 * total[(role + 1) % n]) % 5) / 4 for role in range(n)]

    def assign(self, other: Any) -> None:
        self.rounds = other.rounds

    def hash_key(self) -> tuple[tuple[int | None, ...], ...]:
        return self.rounds

    def draw(self) -> str:
        return str(self.rounds)


class Watched(PythonGame):
    """Another game's rules that check every move: an illegal one inside a simulation reaches the caller."""

    def __init__(self, game: Game) -> None:
        super().__init__(f"watched {game.id}", game.roles, game.n_moves, max_legal=game.max_legal, n_codes=game.n_codes)
        self.inner = game

    def initial_state(self) -> State:
        return _WatchedState(self, self.inner.initial_state())

    def move_name(self, role: int, move: int) -> str:
        return self.inner.move_name(role, move)


class _WatchedState(PythonState):
    def __init__(self, game: Game, inner: State) -> None:
        self.inner = inner

    def to_move(self) -> int | None:
        return self.inner.mover

    def legal_moves(self, role: int) -> Sequence[int]:
        return self.inner.legal(role)

    def apply(self, joint: tuple[int | None, ...]) -> None:
        self.inner.play(joint)  # raises IllegalMove

    def is_terminal(self) -> bool:
        return self.inner.terminal

    def goal_values(self) -> Sequence[float]:
        return self.inner.goals

    def assign(self, other: Any) -> None:
        self.inner.copy_from(other.inner)

    def hash_key(self) -> int:
        return self.inner.key

    def move_code(self, role: int, move: int) -> int:
        return self.inner.codes(role)[self.inner.legal(role).index(move)]

    def draw(self) -> str:
        return self.inner.draw()
