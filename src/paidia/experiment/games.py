"""Where the games of a plan are: in paidia's library, in a file beside the plan, or in a collection of video games.

The papers play the video games of the GVGAI framework, which are not ours to ship. `vgdl:NAME` means, in this order, a game of
the library, one of a registered folder (`paidia games --add DIR`), and one of the reference collection: the folder that
PAIDIA_REFERENCE names, or `shared` beside the source tree. A clone of the framework will do for either.

A game that is not part of paidia counts by its text, not by its name: the digest of its rules and level goes into the key of
its cells.
"""

from __future__ import annotations

import hashlib
import os
import re
from functools import lru_cache
from pathlib import Path

import msgspec

from paidia.core.arcade import ArcadeGame
from paidia.core.errors import BadInput, RuleError, nearest
from paidia.core.game import Game
from paidia.games import load, load_arcade, worlds
from paidia.games.vgdl.folders import registered_games
from paidia.games.vgdl.library import LIBRARY, level_path, levels_of

__all__ = ["Rules", "arcade_game", "board_game", "find_game", "is_video_game"]

VGDL = "vgdl:"

#: Rules of a game are text; whatever is larger than this is something else.
LARGEST_RULES = 50_000_000

#: Where a collection may keep its descriptions.
PLACES = ("gvgai/games", "examples/gridphysics", "games", "")


class Rules(msgspec.Struct, frozen=True):
    """A game that has been found.

    Attributes:
        spec: What to load it by; for a video game known by its name that name, wherever its file is.
        path: Its file, None for a game of the library.
    """

    spec: str
    path: Path | None

    @property
    def video(self) -> bool:
        """Whether it is a video game."""
        return is_video_game(self.spec)

    def levels(self) -> list[str]:
        """The numbers of all levels of a video game."""
        return [file.stem.rpartition("_lvl")[2] for file in levels_of(_description(self.spec))]

    def digest(self, level: str | None) -> str:
        """Identity of rules and level where they are files of a user, "" for a game of the library."""
        if self.path is None:
            return "" if not self.video or level is None or level.isdecimal() else f"{self.spec} {_digest(Path(level))}"
        if not self.video:
            return _digest(self.path)
        return _digest(self.path, level_path(self.path, level))


def is_video_game(spec: str) -> bool:
    """Whether the spec of a game that was found means a video game."""
    return spec.startswith(VGDL) or spec.endswith(".txt")


def find_game(id: str, folder: Path) -> Rules:
    """The game that a plan in `folder` names."""
    for path in (folder / id, Path(id)):
        if ("/" in id or "." in id) and path.is_file():
            return Rules(str(path), path)
    name = id.removeprefix(VGDL)
    if id.startswith(VGDL) or (":" not in id and _is_ours(id)):
        path = _description(VGDL + name)
        return Rules(VGDL + name, None if path.is_relative_to(LIBRARY) else path)
    return Rules(id, None)


def _is_ours(name: str) -> bool:
    """Whether a bare name means a video game: boards and GDL come first."""
    accepting = (world.name for world in worlds().values() if world.accepts(name))
    return not name.endswith(".txt") and next(accepting, "") == "vgdl"


def _description(spec: str) -> Path:
    """The file with the rules of a video game."""
    if not spec.startswith(VGDL):
        return Path(spec)
    name = spec.removeprefix(VGDL)
    if re.fullmatch(r"[\w-]+", name):  # a name, so no path can hide in it
        own = LIBRARY / name / f"{name}.txt"
        if own.is_file():
            return own
        for known in (registered_games(), *(_descriptions(_collection() / place) for place in PLACES)):
            if name in known:
                return known[name]
            for other, path in known.items():  # the framework writes some names with capitals
                if other.lower() == name.lower():
                    return path
    near = nearest(name, [*(path.name for path in LIBRARY.iterdir()), *registered_games()])
    hint = f"did you mean {' or '.join(near)}? Otherwise " if near else ""
    raise BadInput(
        f"the video game {name!r} is neither one of paidia's own nor in a collection: {hint}register the folder of a GVGAI clone"
        f" that has {name}.txt (`paidia games --add DIR`), or let PAIDIA_REFERENCE name it"
    )


@lru_cache(maxsize=16)
def _descriptions(folder: Path) -> dict[str, Path]:
    """The games of a folder by name: every NAME.txt with a first level beside it."""
    levels = sorted(folder.glob("*_lvl0.txt"))
    paths = {path.name.removesuffix("_lvl0.txt"): path.with_name(path.name.replace("_lvl0", "")) for path in levels}
    return {name: path for name, path in paths.items() if path.is_file()}


def _collection() -> Path:
    named = os.environ.get("PAIDIA_REFERENCE")
    return Path(named) if named else Path(__file__).resolve().parents[4] / "shared"


def _digest(*files: Path) -> str:
    digest = hashlib.sha256()
    for number, path in enumerate(files):
        try:
            if path.stat().st_size > LARGEST_RULES:
                raise RuleError(f"larger than {LARGEST_RULES:,} bytes: these are no rules", file=str(path))
            digest.update((b"\0" if number else b"") + path.read_bytes())
        except OSError as error:
            raise BadInput(f"cannot read {path}: {error}") from None
    return digest.hexdigest()


@lru_cache(maxsize=64)
def board_game(spec: str, level: str | None) -> Game:
    """A board or GDL game of a cell, ready to play."""
    return load(spec, level=level)


@lru_cache(maxsize=512)
def arcade_game(spec: str, level: str | None) -> ArcadeGame:
    """A video game of a cell, ready to play."""
    return load_arcade(str(_description(spec)), level=level)
