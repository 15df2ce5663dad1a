"""A video game of your own in plain Python, played by agents that come with paidia.

Coins lie in a corridor, and a wall of fire comes from the left, a cell every third tick: who takes all coins in time wins.
Run it:

    python examples/own_video_game.py
"""

from __future__ import annotations

import paidia

LENGTH = 12
COINS = frozenset({3, 8, 11})


class Corridor(paidia.PythonArcadeGame):
    """The rules: sprite types and the size of the level."""

    def __init__(self) -> None:
        super().__init__("corridor", ["avatar", "coin", "fire"], LENGTH, 1, max_ticks=60)

    def initial_state(self, seed: int = 0) -> CorridorState:
        return CorridorState(self)


class CorridorState(paidia.PythonArcadeState):
    """One situation."""

    def __init__(self, game: Corridor) -> None:
        self.place, self.fire, self.tick_number, self.coins = 2, -1, 0, COINS

    def action_names(self) -> list[str]:
        return [] if self.outcome() is not None else ["LEFT", "RIGHT"]

    def tick_on(self, action: str) -> None:
        self.tick_number += 1
        self.place = min(LENGTH - 1, max(0, self.place + {"LEFT": -1, "RIGHT": 1}.get(action, 0)))
        self.coins = self.coins - {self.place}
        self.fire = self.tick_number // 3 - 1

    def outcome(self) -> bool | None:
        if self.place <= self.fire:
            return False
        return True if not self.coins else None

    def points(self) -> float:
        return float(len(COINS) - len(self.coins))

    def ticks(self) -> int:
        return self.tick_number

    def assign(self, other: CorridorState) -> None:
        self.place, self.fire = other.place, other.fire
        self.tick_number, self.coins = other.tick_number, other.coins

    def hash_key(self) -> tuple[int, int, frozenset[int]]:
        return self.place, self.tick_number, self.coins

    def avatar_at(self) -> tuple[int, int, int] | None:
        return None if self.place <= self.fire else (self.place, 0, 0)

    def sprites_at(self) -> list[tuple[int, int, int, int, int]]:
        coins = [(1, 1, 1 + cell, cell, 0) for cell in sorted(self.coins)]
        return [*coins, *((4, 2, 100 + cell, cell, 0) for cell in range(self.fire + 1))]


def main() -> None:
    """Check the rules, then let a few agents play."""
    game = Corridor()
    paidia.testing.check_arcade_game(game)
    print("corridor keeps the contract of a video game")
    for agent in ("iw-1", "sample-mcts", "uct"):
        match = paidia.play(game, agent, sims=100, seed=1)
        coins, ticks = match.record.score, len(match.record.moves)
        print(f"{agent}: {'wins' if match.goals[0] else 'loses'} with {coins:g} coins in {ticks} ticks")


if __name__ == "__main__":
    main()
