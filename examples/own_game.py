"""A game of your own in plain Python, played by the agents that come with paidia.

Chomp: a bar of chocolate of 4 x 5 squares. Players in turn choose a square and eat it with all squares below
and to the right of it. The top left square is poisoned: who eats it loses. Run it:

    python examples/own_game.py
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import paidia

ROWS, COLUMNS = 4, 5


class Chomp(paidia.PythonGame):
    """The rules: roles, moves and their names. Move row * COLUMNS + column eats from that square on."""

    def __init__(self) -> None:
        super().__init__("chomp", ["first", "second"], ROWS * COLUMNS)

    def initial_state(self) -> ChompState:
        return ChompState(self)

    def move_name(self, role: int, move: int) -> str:
        return f"{'abcde'[move % COLUMNS]}{move // COLUMNS + 1}"


class ChompState(paidia.PythonState):
    """One position: how many squares are left in each row, and whose turn it is."""

    def __init__(self, game: paidia.Game) -> None:
        self.rows = [COLUMNS] * ROWS
        self.turn = 0

    def to_move(self) -> int:
        return self.turn

    def legal_moves(self, role: int) -> Sequence[int]:
        if role != self.turn:
            return []
        return [row * COLUMNS + column for row in range(ROWS) for column in range(self.rows[row])]

    def apply(self, joint: tuple[int | None, ...]) -> None:
        move = joint[self.turn]
        assert move is not None
        row, column = divmod(move, COLUMNS)
        self.rows[row:] = [min(left, column) for left in self.rows[row:]]
        self.turn = 1 - self.turn

    def is_terminal(self) -> bool:
        return self.rows[0] == 0

    def goal_values(self) -> Sequence[float]:
        if not self.is_terminal():
            return [0.5, 0.5]
        return [float(role == self.turn) for role in (0, 1)]  # the other one ate the poison

    def assign(self, other: Any) -> None:
        self.rows = list(other.rows)
        self.turn = other.turn

    def hash_key(self) -> tuple[int, ...]:
        return (*self.rows, self.turn)

    def draw(self) -> str:
        return "\n".join("#" * left + "." * (COLUMNS - left) for left in self.rows)


def main() -> None:
    """Check the rules, then let GRAVE play UCT."""
    game = Chomp()
    paidia.testing.check_game(game)
    print("chomp keeps the contract of a game")
    record = paidia.play(game, ["grave", "uct"], sims=500, seed=1).record
    for step, move in enumerate(record.moves, start=1):
        print(f"{step}. {record.agents[(step - 1) % 2]} eats {move[(step - 1) % 2]}")
    winner = record.agents[record.goals.index(1.0)]
    print(f"{winner} wins")


if __name__ == "__main__":
    main()
