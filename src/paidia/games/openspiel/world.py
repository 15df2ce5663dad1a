"""The world of OpenSpiel's games, and which of them can be played here."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from paidia.core.errors import BadInput, UnknownName, nearest
from paidia.games.world import GameInfo, World

if TYPE_CHECKING:
    from paidia.games.openspiel.game import SpielGame

__all__ = ["OPENSPIEL", "OpenSpielWorld", "pyspiel_module", "why_not"]


def pyspiel_module() -> Any:
    """The module `pyspiel`, or an error that says how to get it."""
    try:
        import pyspiel
    except ImportError:
        raise BadInput("games of OpenSpiel need it installed: pip install 'paidia[openspiel]'") from None
    return pyspiel


def why_not(game: Any) -> str | None:
    """Why a game of OpenSpiel cannot be played here; None if it can."""
    pyspiel = pyspiel_module()
    kind = game.get_type()
    if kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION:
        return "it hides information from its players, and our searches need to see the whole state"
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        return "it is a mean field game, which has no joint moves"
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return "it draws chance inside its moves, where no seed of ours reaches"
    low, high = game.min_utility(), game.max_utility()
    if not -1e12 < low < high < 1e12:
        return f"its utilities have no bounds ({low:g} to {high:g}), so they cannot be brought to goals from 0 to 100"
    return None


class OpenSpielWorld(World):
    """Games of OpenSpiel by name; they are not listed among our own, and always named with their prefix."""

    name = "openspiel"
    prefixed = True

    def ids(self) -> Iterator[str]:
        return iter(())

    def playable(self) -> Iterator[str]:
        """The names of the games that can be loaded without parameters and played here."""
        pyspiel = pyspiel_module()
        for kind in pyspiel.registered_games():
            if kind.default_loadable and why_not(pyspiel.load_game(kind.short_name)) is None:
                yield kind.short_name

    def info(self, id: str) -> GameInfo:
        game = self.load(id)
        return GameInfo(id=game.id, world=self.name, roles=list(game.roles), stochastic=game.stochastic, summary="OpenSpiel")

    def accepts(self, spec: str) -> bool:
        return True  # what is wrong with a name, `load` knows better than a yes or no

    def unknown(self, spec: str) -> UnknownName:
        return UnknownName("game of OpenSpiel", spec.partition("(")[0], pyspiel_module().registered_names())

    def load(self, spec: str, *, level: str | None = None) -> SpielGame:
        if level is not None:
            raise BadInput(f"openspiel:{spec} has no levels; leave --level out")
        return _load(spec)


@cache
def _load(spec: str) -> SpielGame:
    from paidia.games.openspiel.game import SpielGame

    pyspiel = pyspiel_module()
    name = spec.partition("(")[0]
    if name not in pyspiel.registered_names():
        raise OPENSPIEL.unknown(spec)
    try:
        game = pyspiel.load_game(spec)
    except (pyspiel.SpielError, ValueError, RuntimeError) as error:
        known = sorted(pyspiel.load_game(name).get_parameters()) if _loads(name) else []
        wrong = [word.partition("=")[0] for word in spec.partition("(")[2].rstrip(")").split(",")]
        near = [
            f"{word}: did you mean {' or '.join(close)}?"
            for word in wrong
            if word not in known and (close := nearest(word, known))
        ]
        raise BadInput(f"openspiel:{spec}: {' '.join(near) or str(error).strip().splitlines()[-1]}") from None
    return SpielGame(f"openspiel:{spec}", game)


def _loads(name: str) -> bool:
    pyspiel = pyspiel_module()
    return any(kind.short_name == name and kind.default_loadable for kind in pyspiel.registered_games())


OPENSPIEL = OpenSpielWorld()
