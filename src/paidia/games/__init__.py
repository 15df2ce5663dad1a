"""Rules in, forward model out: `boards` (native), `gdl` (KIF text), `vgdl` (video games).

What a user types means the same everywhere: the id of a board (`connect4`, `breakthrough@6x5`), an id with the prefix of its
world (`gdl:connect4`, `vgdl:vine`; the prefix may be left out where the name is unique), or the path of a rule file. `find`
says which game that is, `load` gets it ready to play.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

from paidia.core.arcade import ArcadeGame
from paidia.core.errors import BadInput, UnknownName
from paidia.core.game import Game
from paidia.core.loading.plugins import absolute, load_announced
from paidia.core.model import Rules, reload_with
from paidia.games.world import GameInfo, World

__all__ = ["FoundGame", "again", "catalogue", "find", "load", "load_as", "world_of", "worlds"]

G = TypeVar("G", bound=Rules)


@cache
def worlds() -> dict[str, World]:
    """All worlds by name, boards first: a bare name that is also a board means the board."""
    found = {}
    for module in pkgutil.iter_modules(__path__, __name__ + "."):
        if module.ispkg:
            world: World = importlib.import_module(module.name).WORLD
            found[world.name] = world
    for thing in load_announced("paidia.worlds").values():
        if isinstance(thing, World) and thing.name not in found:
            found[thing.name] = thing
    return dict(sorted(found.items(), key=lambda item: (item[0] != "board", item[0])))


def catalogue() -> list[GameInfo]:
    """Every game that can be played by id: those that come with paidia, and those of registered folders."""
    return [world.info(id) for world in worlds().values() for id in world.ids()]


class FoundGame(msgspec.Struct, frozen=True):
    """A game that has been found.

    Attributes:
        spec: What names it in every place.
        world: The name of its world.
        name: Its spec in that world.
    """

    spec: str
    world: str
    name: str

    @property
    def path(self) -> Path | None:
        """The file of a user that holds its rules; None for a game that comes with paidia."""
        return worlds()[self.world].path(self.name)

    def levels(self) -> list[str]:
        """The numbers of all its levels."""
        return worlds()[self.world].levels(self.name)

    def digest(self, level: str | None) -> str:
        """Identity of rules and level where they are files of a user, "" for a game that comes with paidia."""
        return worlds()[self.world].digest(self.name, level)

    def load(self, level: str | None = None) -> Game | ArcadeGame:
        """The game, ready to play."""
        return worlds()[self.world].load(self.name, level=level)


def find(spec: str, *, folder: Path | None = None) -> FoundGame:
    """The game that `spec` names; a path may also be meant from `folder`."""
    if folder is not None and ("/" in spec or "." in spec) and (folder / spec).is_file():
        spec = str(folder / spec)
    elif folder is not None:
        spec = absolute(spec, folder)
    prefix, colon, name = spec.partition(":")
    if colon and prefix in worlds():
        if not worlds()[prefix].accepts(name):
            raise worlds()[prefix].unknown(name)
        return FoundGame(spec, prefix, name)
    for world in worlds().values():
        if not world.prefixed and world.accepts(spec):
            return FoundGame(world.full(spec), world.name, spec)
    known = (id if world.name == "board" else f"{world.name}:{id}" for world in worlds().values() for id in world.ids())
    raise UnknownName("game", spec, known, remedy="`paidia games` lists them all")


def world_of(spec: str) -> str:
    """The name of the world that `spec` belongs to."""
    return find(spec).world


def load(spec: str, *, level: str | None = None) -> Game | ArcadeGame:
    """The game that `spec` names; the `level` of a video game is a number or the path of a level file."""
    return find(spec).load(level)


def load_as(kind: type[G], spec: str, *, level: str | None = None) -> G:
    """The same where only one kind of game will do: `Game` (boards and GDL) or `ArcadeGame`."""
    game = load(spec, level=level)
    if isinstance(game, kind):
        return game
    if isinstance(game, ArcadeGame):
        raise BadInput(f"{spec} is a video game; this works with board games and GDL only")
    raise BadInput(f"{spec} is not a video game; this works with VGDL only")


def again(id: str, level: str | None) -> Rules:
    """What a pickle of a game does."""
    return load(id, level=level)


reload_with(again)
