"""The list of native boards, filled by the files beside this one, and how a size in an id is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

import msgspec

from paidia.core.errors import BadInput, UnknownName
from paidia.core.game import Game
from paidia.core.loading.registry import Registry
from paidia.games.world import GameInfo, World

__all__ = ["BOARDS", "BoardGame", "Boards"]


class BoardGame(msgspec.Struct, frozen=True):
    """One native board game and the sizes it can be played on."""

    id: str
    summary: str
    make: Callable[[str, int, int], Game]  # (id, rows, columns) -> rules
    roles: tuple[str, ...] = ("first", "second")
    rows: int = 8
    columns: int = 8
    smallest: tuple[int, int] = (2, 2)
    largest: tuple[int, int] = (19, 19)
    square: bool = False
    step: int = 1  # sides must be multiples of this

    def sized(self, rows: int, columns: int) -> Game:
        """The game on a board of this size, or an error that says which sizes work."""
        fits = self.smallest[0] <= rows <= self.largest[0] and self.smallest[1] <= columns <= self.largest[1]
        if not fits or (self.square and rows != columns) or rows % self.step or columns % self.step:
            shape = "square boards" if self.square else "boards"
            even = f" with sides a multiple of {self.step}" if self.step > 1 else ""
            raise BadInput(
                f"{self.id} is played on {shape} from {self.smallest[0]}x{self.smallest[1]} to "
                f"{self.largest[0]}x{self.largest[1]}{even}, not {rows}x{columns}"
            )
        default = (rows, columns) == (self.rows, self.columns)
        return self.make(self.id if default else f"{self.id}@{rows}x{columns}", rows, columns)


class Boards(World):
    """The world of native boards."""

    name = "board"

    def __init__(self) -> None:
        self._games: Registry[BoardGame] = Registry("board game", package="paidia.games.boards")

    def add(self, game: BoardGame) -> None:
        """Enter a game; called at the end of the file that holds its rules."""
        self._games.add(game.id, game)

    def ids(self) -> Iterator[str]:
        return iter(self._games)

    def info(self, id: str) -> GameInfo:
        game = self._games[id]
        return GameInfo(id=id, world=self.name, roles=list(game.roles), summary=game.summary)

    def accepts(self, spec: str) -> bool:
        return spec.partition("@")[0] in self._games

    def unknown(self, spec: str) -> UnknownName:
        return UnknownName("board game", spec.partition("@")[0], self._games, remedy="`paidia games` lists them all")

    def load(self, spec: str, *, level: str | None = None) -> Game:
        if level is not None:
            raise BadInput(f"{spec} is a board game and has no levels; leave --level out")
        return _load(spec, self._games)


@cache
def _load(spec: str, games: Registry[BoardGame]) -> Game:
    id, at, size = spec.partition("@")
    game = games[id]
    if not at:
        return game.sized(game.rows, game.columns)
    sides = re.fullmatch(r"(\d{1,3})(?:x(\d{1,3}))?", size)
    if sides is None:
        raise BadInput(f"{spec!r}: a board size is written 8 or 8x6 (rows x columns), not {size!r}")
    rows = int(sides[1])
    return game.sized(rows, int(sides[2]) if sides[2] else rows)


BOARDS = Boards()
