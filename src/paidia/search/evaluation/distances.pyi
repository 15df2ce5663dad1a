from collections.abc import Collection, Iterable
from typing import Self, final

from paidia.core.arcade import ArcadeGame, ArcadeState

@final
class Distances:
    width: int
    height: int
    bound: int
    with_table: bool
    tabled: bool
    n_searches: int
    def __new__(cls, *, table: bool = ...) -> Self: ...
    def begin_game(self, game: ArcadeGame, state: ArcadeState) -> None: ...
    def set_grid(self, width: int, height: int, walls: Iterable[tuple[int, int]], *, block: int = ...) -> None: ...
    def between(self, x0: int, y0: int, x1: int, y1: int, cutoff: int) -> int: ...
    def closest_of(self, start: tuple[int, int], others: Collection[tuple[int, int]]) -> int: ...
