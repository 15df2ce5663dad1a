"""The world of VGDL games: those that come with paidia, and any description a user points at.

A game of the library is a folder `library/vgdl/NAME` with `NAME.txt` and `NAME_lvl0.txt` ... ; the levels of
a user's `X.txt` are found beside it by the same rule. A folder of games that was registered (`paidia games --add DIR`)
gives its games ids as well. The first comment line of a description is its summary.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from paidia.core.errors import BadInput, PaidiaError, UnknownName
from paidia.games.vgdl.compile.loading import game_from_files
from paidia.games.vgdl.engine.game import VgdlGame
from paidia.games.vgdl.folders import registered_games
from paidia.games.vgdl.language.text import read_text
from paidia.games.world import GameInfo

__all__ = ["LIBRARY", "VgdlWorld", "levels_of"]

LIBRARY = Path(__file__).resolve().parents[2] / "library" / "vgdl"


def levels_of(rules: Path) -> list[Path]:
    """The numbered level files that belong to a description, in order."""
    found = {}
    for path in rules.parent.glob(f"{rules.stem}_lvl*.txt"):
        number = path.stem.rpartition("_lvl")[2]
        if number.isdecimal():
            found[int(number)] = path
    return [found[number] for number in sorted(found)]


class VgdlWorld:
    """Video games described in VGDL."""

    name = "vgdl"

    def ids(self) -> Iterator[str]:
        return iter(sorted(self._descriptions()))

    def _descriptions(self) -> dict[str, Path]:
        own = {path.name: path / f"{path.name}.txt" for path in LIBRARY.iterdir()}
        return {**registered_games(), **{name: rules for name, rules in own.items() if rules.is_file()}}

    def info(self, id: str) -> GameInfo:
        rules = self._rules(id)
        stochastic, summary = False, _summary(rules)
        try:
            stochastic = self._game(rules, id, None).stochastic
        except PaidiaError as error:  # a user's folder may hold a broken game; the list goes on
            summary = f"does not load: {error}"
        return GameInfo(
            id=f"vgdl:{id}",
            world=self.name,
            roles=["avatar"],
            stochastic=stochastic,
            levels=len(levels_of(rules)),
            summary=summary,
        )

    def accepts(self, spec: str) -> bool:
        return spec.endswith(".txt") or spec in self.ids()

    def load(self, spec: str, *, level: str | None = None) -> VgdlGame:
        return self._game(self._rules(spec), spec, level)

    def _rules(self, spec: str) -> Path:
        if spec.endswith(".txt"):
            return Path(spec)
        known = self._descriptions()
        if spec in known:  # a name from the list, so no path can hide in it
            return known[spec]
        raise UnknownName("VGDL game", spec, self.ids(), remedy="give a name from `paidia games` or the path of a .txt file")

    def _game(self, rules: Path, spec: str, level: str | None) -> VgdlGame:
        path = level_path(rules, level)
        if spec.endswith(".txt"):  # a user's file may change between two games
            return game_from_files(str(rules), str(path), id=spec, level_name=level or "0")
        return _load(str(rules), str(path), f"vgdl:{spec}", level or "0")


def level_path(rules: Path, level: str | None) -> Path:
    """The file of a level given by number or path; 0 if none is given."""
    if level is not None and not level.isdecimal():
        return Path(level)
    levels = levels_of(rules)
    number = int(level or 0) if len(level or "") < 9 else 10**9
    wanted = rules.parent / f"{rules.stem}_lvl{number}.txt"
    if wanted in levels:
        return wanted
    if not rules.is_file():
        raise BadInput(f"{rules}: no such file")
    if not levels:
        raise BadInput(f"{rules}: no levels ({rules.stem}_lvl0.txt, ...) beside it; give the path of one with --level")
    raise BadInput(f"{rules}: there is no level {number}; its levels are {levels[0].name} to {levels[-1].name}")


@cache
def _load(rules: str, level: str, id: str, level_name: str) -> VgdlGame:
    return game_from_files(rules, level, id=id, level_name=level_name)


def _summary(rules: Path) -> str:
    first = read_text(rules).lstrip().partition("\n")[0]
    return first.lstrip("# ").strip() if first.startswith("#") else ""
