"""What a world of games (boards, gdl, vgdl) offers to the rest of paidia; each sub-package sets `WORLD` to one."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import msgspec

from paidia.core.arcade import ArcadeGame
from paidia.core.errors import BadInput, PaidiaError, RuleError, UnknownName
from paidia.core.game import Game

__all__ = ["GameInfo", "World", "digest_of"]

#: Rules of a game are text; whatever is larger than this is something else.
LARGEST_RULES = 50_000_000


class GameInfo(msgspec.Struct, frozen=True):
    """One line of the list of games."""

    id: str
    world: str
    roles: list[str]
    stochastic: bool = False
    levels: int = 0
    summary: str = ""


class World(ABC):
    """A family of games with one way of writing rules. A spec is an id without the prefix of the world, or a path.

    Attributes:
        name: The prefix.
        suffixes: How its rule files end.
        prefixed: Whether its games are only found with their prefix.
    """

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    prefixed: ClassVar[bool] = False

    @abstractmethod
    def ids(self) -> Iterator[str]:
        """The ids of the games that are listed: those that come with paidia, and those that a user has registered."""

    @abstractmethod
    def info(self, id: str) -> GameInfo:
        """What the list of games says about one of them."""

    @abstractmethod
    def accepts(self, spec: str) -> bool:
        """Whether `spec` means a game of this world."""

    @abstractmethod
    def unknown(self, spec: str) -> UnknownName:
        """The error for a name that no game of this world has."""

    @abstractmethod
    def load(self, spec: str, *, level: str | None = None) -> Game | ArcadeGame:
        """The game, ready to play."""

    def is_file(self, spec: str) -> bool:
        """Whether a spec is the path of a rule file."""
        return bool(self.suffixes) and spec.lower().endswith(self.suffixes)

    def full(self, spec: str) -> str:
        """What names the game in every place; boards and GDL games keep the name that was typed."""
        return spec

    def path(self, spec: str) -> Path | None:
        """The file of a user that holds the rules; None for a game that comes with paidia."""
        return Path(spec) if self.is_file(spec) else None

    def levels(self, spec: str) -> list[str]:
        """The numbers of all levels of a game that has any."""
        return []

    def digest(self, spec: str, level: str | None) -> str:
        """Identity of rules and level where they are files of a user, "" for a game that comes with paidia."""
        path = self.path(spec)
        return digest_of(path) if path is not None else ""

    def check(self, file: Path) -> list[PaidiaError]:
        """All findings about a rule file."""
        raise BadInput(f"{file}: a {self.name} game has no rule file to check")


def digest_of(*files: Path) -> str:
    """A digest of the text of files."""
    digest = hashlib.sha256()
    for number, path in enumerate(files):
        try:
            if path.stat().st_size > LARGEST_RULES:
                raise RuleError(f"larger than {LARGEST_RULES:,} bytes: these are no rules", file=str(path))
            digest.update((b"\0" if number else b"") + path.read_bytes())
        except OSError as error:
            raise BadInput(f"cannot read {path}: {error}") from None
    return digest.hexdigest()
