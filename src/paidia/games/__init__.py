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

__all__ = ["catalogue", "load", "worlds"]


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


def load(spec: str, *, level: str | None = None) -> Game:
    """The game that `spec` names."""
    prefix, colon, rest = spec.partition(":")
    if colon and prefix in worlds():
        return worlds()[prefix].load(rest, level=level)
    for world in worlds().values():
        if world.accepts(spec):
            return world.load(spec, level=level)
    raise UnknownName("game", spec, (info.id for info in catalogue()), remedy="`paidia games` lists them all")
