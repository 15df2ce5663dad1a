from typing import TypedDict

from paidia.core.errors import BadInput
from paidia.core.game import Game

class PerftRow(TypedDict):
    depth: int
    paths: int
    states: int
    terminal_paths: int
    goal_sums: list[float]

def perft(game: Game, depth: int, *, memory: float = ...) -> list[PerftRow]: ...
def check_bounds(depth: int, memory: float) -> None: ...
def too_large(game: Game, depth: int, memory: float) -> BadInput: ...
def too_many(game: Game, depth: int) -> BadInput: ...
def row_of(depth: int, paths: int, states: int, terminal_paths: int, goal_sums: list[float]) -> PerftRow: ...
