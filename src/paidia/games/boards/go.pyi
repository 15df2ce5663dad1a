from typing import Self

from paidia.games.boards.stones import StonesGame, StonesState

class Go(StonesGame):
    def __init__(self, id: str, rows: int, columns: int, *, komi: float = ...) -> None: ...

class GoState(StonesState):
    def __new__(cls, game: Go) -> Self: ...
