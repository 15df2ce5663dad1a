"""Two small games in Python that several tests play: nim, and a walk to a door."""

from __future__ import annotations

import paidia


class Nim(paidia.PythonGame):
    """Take one to three matches; who takes the last wins."""

    def __init__(self, matches: int = 21) -> None:
        super().__init__("nim", ("first", "second"), 3)
        self.matches = matches

    def initial_state(self) -> NimState:
        return NimState(self)

    def move_name(self, role: int, move: int) -> str:
        return f"take{move + 1}"


class NimState(paidia.PythonState):
    def __init__(self, game: Nim) -> None:
        self.left = game.matches
        self.turn = 0

    def to_move(self) -> int:
        return self.turn

    def legal_moves(self, role: int) -> list[int]:
        return list(range(min(3, self.left))) if role == self.turn else []

    def apply(self, joint: tuple[int | None, ...]) -> None:
        self.left -= (joint[self.turn] or 0) + 1
        self.turn = 1 - self.turn

    def is_terminal(self) -> bool:
        return self.left == 0

    def goal_values(self) -> list[float]:
        return [0.5, 0.5] if self.left else [float(self.turn == 1), float(self.turn == 0)]

    def assign(self, other: NimState) -> None:
        self.left, self.turn = other.left, other.turn

    def hash_key(self) -> tuple[int, int]:
        return self.left, self.turn

    def draw(self) -> str:
        return "|" * self.left


class Walk(paidia.PythonArcadeGame):
    """A corridor with a door at its end."""

    def __init__(self) -> None:
        super().__init__("walk", ("me", "door"), 6, 1, max_ticks=40)

    def initial_state(self, seed: int = 0) -> WalkState:
        return WalkState(self)


class WalkState(paidia.PythonArcadeState):
    def __init__(self, game: Walk) -> None:
        self.at = 0
        self.tick_count = 0

    def action_names(self) -> list[str]:
        return ["LEFT", "RIGHT"] if self.outcome() is None else []

    def tick_on(self, action: str) -> None:
        self.tick_count += 1
        self.at = min(5, max(0, self.at + {"LEFT": -1, "RIGHT": 1}.get(action, 0)))

    def outcome(self) -> bool | None:
        return True if self.at == 5 else False if self.tick_count >= 40 else None

    def points(self) -> float:
        return float(self.at)

    def ticks(self) -> int:
        return self.tick_count

    def assign(self, other: WalkState) -> None:
        self.at, self.tick_count = other.at, other.tick_count

    def hash_key(self) -> int:
        return self.at

    def avatar_at(self) -> tuple[int, int, int]:
        return self.at, 0, 0

    def sprites_at(self) -> list[tuple[int, int, int, int, int]]:
        return [(2, 1, 1, 5, 0)]
