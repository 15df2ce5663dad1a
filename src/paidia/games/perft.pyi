from typing import TypedDict

from paidia.core.game import Game

class PerftRow(TypedDict):
    depth: int
    paths: int
    states: int
    terminal_paths: int
    goal_sums: list[float]

def perft(game: Game, depth: int, *, memory: float = ...) -> list[PerftRow]: ...
