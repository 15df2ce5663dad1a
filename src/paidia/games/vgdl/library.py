"""The world of VGDL games: those that come with paidia, and any description a user points at.

A game of the library is a folder `library/vgdl/NAME` with `NAME.txt` and `NAME_lvl0.txt` ... ; the levels of
a user's `X.txt` are found beside it by the same rule. `vgdl:NAME` means, in this order, a game of the library, one of a folder
that was registered (`paidia games --add DIR`), and one of the collection that PAIDIA_REFERENCE names (see `folders`). The first
comment line of a description is its summary.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import ClassVar

from paidia.core.errors import BadInput, PaidiaError, RuleError, UnknownName
from paidia.games.vgdl.compile.loading import game_from_files
from paidia.games.vgdl.engine.game import VgdlGame
from paidia.games.vgdl.folders import collected_games, registered_games
from paidia.games.vgdl.language.description import parse
from paidia.games.vgdl.language.text import read_text
from paidia.games.world import GameInfo, World, digest_of

__all__ = ["LIBRARY", "TWO_PLAYERS", "TwoPlayerWorld", "VgdlWorld", "level_path", "levels_of", "own_games"]

LIBRARY = Path(__file__).resolve().parents[2] / "library" / "vgdl"
TWO_PLAYERS = LIBRARY.with_name("vgdl2")


def levels_of(rules: Path) -> list[Path]:
    """The numbered level files that belong to a description, in order."""
    found = {}
    for path in rules.parent.glob(f"{rules.stem}_lvl*.txt"):
        number = path.stem.rpartition("_lvl")[2]
        if number.isdecimal():
            found[int(number)] = path
    return [found[number] for number in sorted(found)]


def own_games(library: Path = LIBRARY) -> dict[str, Path]:
    """Name -> description of the games that come with paidia."""
    games = {path.name: path / f"{path.name}.txt" for path in sorted(library.iterdir())}
    return {name: rules for name, rules in games.items() if rules.is_file()}


class VgdlWorld(World):
    """Video games described in VGDL."""

    name = "vgdl"
    suffixes: ClassVar[tuple[str, ...]] = (".txt",)

    def ids(self) -> Iterator[str]:
        return iter(sorted({**registered_games(), **own_games()}))

    def info(self, id: str) -> GameInfo:
        rules = self._rules(id)
        stochastic, roles, summary = False, ["avatar"], _summary(rules)
        try:
            game = self._game(rules, id, None)
            stochastic, roles = game.stochastic, list(game.roles)
        except PaidiaError as error:  # a user's folder may hold a broken game; the list goes on
            summary = f"does not load: {error}"
        return GameInfo(
            id=f"{self.name}:{id}",
            world=self.name,
            roles=roles,
            stochastic=stochastic,
            levels=len(levels_of(rules)),
            summary=summary,
        )

    def accepts(self, spec: str) -> bool:
        return self.is_file(spec) or self._find(spec) is not None

    def unknown(self, spec: str) -> UnknownName:
        remedy = (
            "Give a name from `paidia games` or the path of a .txt file, or register the folder of a GVGAI clone that has it"
            " (`paidia games --add DIR`; PAIDIA_REFERENCE may name one, too)"
        )
        return UnknownName("VGDL game", spec, self.ids(), remedy=remedy)

    def full(self, spec: str) -> str:
        return spec if self.is_file(spec) else f"{self.name}:{spec}"

    def path(self, spec: str) -> Path | None:
        rules = self._rules(spec)
        return None if rules.is_relative_to(LIBRARY.parent) and not self.is_file(spec) else rules

    def levels(self, spec: str) -> list[str]:
        return [file.stem.rpartition("_lvl")[2] for file in levels_of(self._rules(spec))]

    def digest(self, spec: str, level: str | None) -> str:
        path = self.path(spec)
        if path is not None:
            return digest_of(path, level_path(path, level))
        return "" if level is None or level.isdecimal() else f"{self.name}:{spec} {digest_of(Path(level))}"

    def check(self, file: Path) -> list[PaidiaError]:
        from paidia.games.vgdl.language.check import check_file

        return list(check_file(file))

    def load(self, spec: str, *, level: str | None = None) -> VgdlGame:
        return self._game(self._rules(spec), spec, level)

    def load_leniently(self, spec: str, *, level: str | None = None) -> tuple[VgdlGame, RuleError | None]:
        """A game as the framework reads it: a line that it cannot understand and all below are left out. And that mistake."""
        rules = self._rules(spec)
        mistakes = parse(read_text(rules), file=str(rules), as_reference=True).errors
        id = spec if self.is_file(spec) else f"{self.name}:{spec}"
        path = str(level_path(rules, level))
        game = game_from_files(str(rules), path, id=id, level_name=level or "0", as_reference=bool(mistakes))
        return game, mistakes[0] if mistakes else None

    def _rules(self, spec: str) -> Path:
        found = Path(spec) if self.is_file(spec) else self._find(spec)
        if found is None:
            raise self.unknown(spec)
        return found

    def _find(self, name: str) -> Path | None:
        """The description of a game known by its name; the framework writes some names with capitals."""
        for known in (own_games, registered_games, collected_games):
            games = known()
            if name in games:  # a name from a list, so no path can hide in it
                return games[name]
            for other, path in games.items():
                if other.lower() == name.lower():
                    return path
        return None

    def _game(self, rules: Path, spec: str, level: str | None) -> VgdlGame:
        path = level_path(rules, level)
        if self.is_file(spec):  # a user's file may change between two games
            return game_from_files(str(rules), str(path), id=spec, level_name=level or "0")
        return _load(str(rules), str(path), f"{self.name}:{spec}", level or "0")


class TwoPlayerWorld(VgdlWorld):
    """The games for two players that come with paidia; others are played by path or from registered folders, as `vgdl:`."""

    name = "vgdl2"
    suffixes = ()

    def ids(self) -> Iterator[str]:
        return iter(own_games(TWO_PLAYERS))

    def _find(self, name: str) -> Path | None:
        return own_games(TWO_PLAYERS).get(name)


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
