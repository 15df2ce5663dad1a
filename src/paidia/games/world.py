"""What a world of games (boards, gdl, vgdl) offers to the rest of paidia; each sub-package sets `WORLD` to one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import msgspec

from paidia.core.arcade import ArcadeGame
from paidia.core.game import Game

__all__ = ["GameInfo", "World"]


class GameInfo(msgspec.Struct, frozen=True):
    """One line of the list of games."""

    id: str
    world: str
    roles: list[str]
    stochastic: bool = False
    levels: int = 0
    summary: str = ""


class World(Protocol):
    """A family of games with one way of writing rules."""

    name: str

    def ids(self) -> Iterator[str]:
        """The ids of the games that come with paidia, without the prefix of the world."""

    def info(self, id: str) -> GameInfo:
        """What the list of games says about one of them."""

    def accepts(self, spec: str) -> bool:
        """Whether `spec` (an id without prefix, or a path) means a game of this world."""

    def load(self, spec: str, *, level: str | None = None) -> Game | ArcadeGame:
        """The game, ready to play."""
