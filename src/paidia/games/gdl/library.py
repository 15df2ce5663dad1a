"""The world of GDL games: rule sheets that come with paidia, and any `.kif` file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from paidia.core.errors import BadInput, PaidiaError, UnknownName
from paidia.core.game import Game
from paidia.games.gdl.language.kif import read_text
from paidia.games.gdl.language.rules import RANDOM, RuleSheet, parse_sheet, read_sheet
from paidia.games.world import GameInfo, World

__all__ = ["LIBRARY", "Library"]


def _folder() -> Traversable:
    return resources.files("paidia").joinpath("library", "gdl")


class Library(World):
    """GDL games by name or path."""

    name = "gdl"
    suffixes = (".kif", ".gdl")

    def ids(self) -> Iterator[str]:
        folder = _folder()
        if folder.is_dir():
            yield from sorted(file.name[:-4] for file in folder.iterdir() if file.name.endswith(".kif"))

    def info(self, id: str) -> GameInfo:
        sheet = self._sheet(id)
        roles = [sheet.spelling[role] for role in sheet.roles if role != RANDOM]
        return GameInfo(id=f"gdl:{id}", world=self.name, roles=roles, summary=self.summary(id))

    def summary(self, id: str) -> str:
        """The first comment of a sheet of the library."""
        first = self.text(id).partition("\n")[0]
        return first.lstrip("; ").strip() if first.startswith(";") else ""

    def text(self, id: str) -> str:
        """The rules of a game of the library, or in a file."""
        if self.is_file(id):
            return read_text(id)
        if id not in self.ids():
            raise self.unknown(id)
        return _folder().joinpath(f"{id}.kif").read_text(encoding="utf-8")

    def accepts(self, spec: str) -> bool:
        return self.is_file(spec) or spec in self.ids()

    def unknown(self, spec: str) -> UnknownName:
        return UnknownName("GDL game", spec, self.ids(), remedy="(or give the path of a .kif file)")

    def load(self, spec: str, *, level: str | None = None) -> Game:
        if level is not None:
            raise BadInput(f"{spec} is a GDL game and has no levels; leave --level out")
        if self.is_file(spec):
            return _load(spec, Path(spec).stat().st_mtime_ns if Path(spec).exists() else 0)
        return _load(spec, 0)

    def check(self, file: Path) -> list[PaidiaError]:
        from paidia.games.gdl.language.check import check_file

        return list(check_file(file))

    def _sheet(self, spec: str) -> RuleSheet:
        if self.is_file(spec):
            return read_sheet(spec)
        return parse_sheet(self.text(spec), file=f"{spec}.kif")


@lru_cache(maxsize=16)
def _load(spec: str, changed: int) -> Game:
    """Games are loaded once, as long as few others are; a file that changed since is another game."""
    from paidia.games.gdl.load import accepted, load_game  # compiled; `paidia games` has no need of it
    from paidia.games.gdl.probe import remark

    if not LIBRARY.is_file(spec):  # sheets of the library are checked by our tests
        return load_game(LIBRARY._sheet(spec), f"gdl:{spec}")
    game = load_game(accepted(LIBRARY._sheet(spec)), spec)
    remark(game)
    return game


LIBRARY = Library()
