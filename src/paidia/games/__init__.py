"""Rules in, forward model out: `boards` (native), `gdl` (KIF text), `vgdl` (video games).

`load` turns what a user types into a `Game`: the id of a board (`connect4`, `breakthrough@6x5`), an id with the prefix of
its world (`gdl:connect4`), or the path of a rule file.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from paidia.core.errors import UnknownName
from paidia.core.game import Game
from paidia.games.world import GameInfo, World

__all__ = ["catalogue", "load", "world_of", "worlds"]


@cache
def worlds() -> dict[str, World]:
    """All worlds by name, boards first: a bare name that is also a board means the board."""
    found = {}
    for module in pkgutil.iter_modules(__path__, __name__ + "."):
        if module.ispkg:
            world: World = importlib.import_module(module.name).WORLD
            found[world.name] = world
    return dict(sorted(found.items(), key=lambda item: (item[0] != "board", item[0])))


def catalogue() -> list[GameInfo]:
    """Every game that comes with paidia."""
    return [world.info(id) for world in worlds().values() for id in world.ids()]


def world_of(spec: str) -> str:
    """The name of the world that `spec` belongs to."""
    prefix, colon, _ = spec.partition(":")
    if colon and prefix in worlds():
        return prefix
    for world in worlds().values():
        if world.accepts(spec):
            return world.name
    raise UnknownName("game", spec, (info.id for info in catalogue()), remedy="`paidia games` lists them all")


def load(spec: str, *, level: str | None = None) -> Game:
    """The game that `spec` names."""
    world = world_of(spec)
    return worlds()[world].load(spec.removeprefix(f"{world}:"), level=level)
