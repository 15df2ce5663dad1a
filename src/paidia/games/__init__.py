"""Rules in, forward model out: `boards` (native), `gdl` (KIF text), `vgdl` (video games).

`load` turns what a user types into a `Game`: the id of a board (`connect4`, `breakthrough@6x5`), an id with the prefix of
its world (`gdl:connect4`), or the path of a rule file. `load_arcade` does the same for video games.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from paidia.core.arcade import ArcadeGame
from paidia.core.errors import BadInput, UnknownName
from paidia.core.game import Game
from paidia.games.world import GameInfo, World

__all__ = ["catalogue", "load", "load_arcade", "world_of", "worlds"]


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
    """The abstract game that `spec` names."""
    game = _load(spec, level)
    if isinstance(game, ArcadeGame):
        raise BadInput(f"{spec} is a video game; this works with board games and GDL only")
    return game


def load_arcade(spec: str, *, level: str | None = None) -> ArcadeGame:
    """The video game that `spec` names; `level` is a number or the path of a level file."""
    game = _load(spec, level)
    if not isinstance(game, ArcadeGame):
        raise BadInput(f"{spec} is not a video game; this works with VGDL only")
    return game


def _load(spec: str, level: str | None) -> Game | ArcadeGame:
    world = world_of(spec)
    return worlds()[world].load(spec.removeprefix(f"{world}:"), level=level)
