"""The world of games in Python files and installed packages."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paidia.core.arcade import ArcadeGame
from paidia.core.errors import BadInput, UnknownName
from paidia.core.game import Game
from paidia.core.loading.plugins import announced, is_place, load_announced, load_place
from paidia.core.model import Rules
from paidia.games.world import GameInfo, World

__all__ = ["PythonWorld"]

GROUP = "paidia.games"


class PythonWorld(World):
    """Games in Python; a spec is FILE.py, FILE.py:NAME, or the name that a package announces."""

    name = "python"
    suffixes = (".py",)

    def ids(self) -> Iterator[str]:
        return iter(sorted(announced(GROUP)))

    def info(self, id: str) -> GameInfo:
        game = self.load(id)
        summary = (inspect.getdoc(type(game)) or "").partition("\n")[0]
        return GameInfo(id=f"python:{id}", world=self.name, roles=list(game.roles), stochastic=game.stochastic, summary=summary)

    def is_file(self, spec: str) -> bool:
        return is_place(spec)

    def path(self, spec: str) -> Path | None:
        return Path(spec[: spec.rindex(".py") + 3]) if self.is_file(spec) and ".py" in spec else None

    def accepts(self, spec: str) -> bool:
        return self.is_file(spec) or spec in announced(GROUP)

    def full(self, spec: str) -> str:
        return spec if self.is_file(spec) else f"python:{spec}"

    def unknown(self, spec: str) -> UnknownName:
        return UnknownName("game in Python", spec, announced(GROUP), remedy="(or give FILE.py, or FILE.py:NAME)")

    def load(self, spec: str, *, level: str | None = None) -> Game | ArcadeGame:
        if self.is_file(spec):
            thing = load_place(spec)
            made: Any = _make(_only_game(thing, spec) if inspect.ismodule(thing) else thing, spec, level)
        elif spec in load_announced(GROUP):
            made = _make(load_announced(GROUP)[spec], spec, level)
        else:
            raise self.unknown(spec)
        path = self.path(spec)
        if path is not None and hasattr(made, "found_as"):
            made.found_as(spec)
            # a pickle of the game names the whole path: whoever opens it may work in another folder
            made.got_by = (load_again, (str(path.resolve()) + spec[len(str(path)) :], level))
        elif hasattr(made, "found_as"):
            made.found_as(f"python:{spec}")
            made.got_by = (load_again, (spec, level))
        game: Game | ArcadeGame = made
        return game


def load_again(spec: str, level: str | None) -> Game | ArcadeGame:
    """What a pickle of a game in Python does."""
    return PythonWorld().load(spec, level=level)


def _make(thing: Any, spec: str, level: str | None) -> Any:
    """A game from a game, its class, or a function that makes it."""
    if callable(thing):
        try:
            takes_level = "level" in inspect.signature(thing).parameters
        except ValueError:  # a compiled class does not tell
            takes_level = False
        if level is not None and not takes_level:
            raise BadInput(f"{spec} has no levels; leave --level out")
        try:
            thing = thing(level=level) if level is not None else thing()
        except (TypeError, NotImplementedError) as error:
            raise BadInput(f"{spec}: a game is made without arguments: {error}") from None
    if not isinstance(thing, Game | ArcadeGame):
        raise BadInput(f"{spec} is no game: a PythonGame or PythonArcadeGame, its class, or a function that makes one is")
    return thing


def _only_game(module: Any, spec: str) -> Any:
    """The game of a file: `GAME`, or the one class of games that it defines."""
    if hasattr(module, "GAME"):
        return module.GAME
    own = [thing for thing in vars(module).values() if inspect.isclass(thing) and thing.__module__ == module.__name__]
    games = [kind for kind in own if issubclass(kind, Rules)]
    if len(games) == 1:
        return games[0]
    if not games:
        raise BadInput(f"{spec}: there is no game in it; subclass paidia.PythonGame (`paidia new game NAME` shows how)")
    raise BadInput(f"{spec} has several games; say which: {', '.join(f'{spec}:{kind.__name__}' for kind in games)}")
