"""Folders of VGDL games that are a user's: registered ones (a GVGAI clone, say), so that their games have ids, and a collection.

Registered folders are kept as one path per line in `vgdl-folders.txt` in paidia's configuration folder: `PAIDIA_CONFIG`, else
`$XDG_CONFIG_HOME/paidia`, else `~/.config/paidia`. Only paths are kept; the files stay where they are. The
collection is the folder that PAIDIA_REFERENCE names, for a while: its games can be played by name, but are not listed.
"""

from __future__ import annotations

import os
import time
from functools import lru_cache
from pathlib import Path

from paidia.core.errors import BadInput

__all__ = ["add_folder", "collected_games", "registered_games", "remove_folder"]

#: Where a collection may keep its descriptions.
PLACES = ("gvgai/games", "examples/gridphysics", "games", "")

#: A folder whose last change is so long ago, in ns, shows the next one by its time.
SETTLED = 1_000_000_000

MOST_GAMES = 10_000  # in all folders together: a wrong folder must not make every list endless


def _file() -> Path:
    own = os.environ.get("PAIDIA_CONFIG")
    base = Path(own) if own else Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "paidia"
    return base / "vgdl-folders.txt"


def _folders() -> list[Path]:
    try:
        return [Path(line) for line in _file().read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError):
        return []


def _games_in(folder: Path) -> dict[str, Path]:
    """The descriptions of a folder: every `NAME.txt` that has a first level `NAME_lvl0.txt` beside it."""
    try:
        changed = folder.stat().st_mtime_ns
    except OSError:
        return {}
    settled = time.time_ns() - changed > SETTLED  # else the next change may bear the same time
    return dict(_games_at(folder, changed) if settled else _games_at.__wrapped__(folder, changed))


@lru_cache(maxsize=64)
def _games_at(folder: Path, changed: int) -> dict[str, Path]:
    """Looked through once for every change of the folder: plans ask for hundreds of games, one by one."""
    found = {}
    for level in sorted(folder.glob("*_lvl0.txt"))[:MOST_GAMES]:
        rules = level.with_name(level.name.removesuffix("_lvl0.txt") + ".txt")
        if rules.is_file() and ":" not in rules.stem:
            found[rules.stem] = rules
    return found


def registered_games() -> dict[str, Path]:
    """Name -> description of every registered game; where two folders have the same name, the first one counts."""
    found: dict[str, Path] = {}
    for folder in _folders():
        if folder.is_dir():
            found = {**_games_in(folder), **found}
    return found


def collected_games() -> dict[str, Path]:
    """Name -> description of every game of the collection, if there is one."""
    named = os.environ.get("PAIDIA_REFERENCE")
    found: dict[str, Path] = {}
    for place in PLACES if named else ():
        found = {**_games_in(Path(named or "") / place), **found}
    return found


def add_folder(folder: Path) -> int:
    """Register a folder; returns how many games it holds."""
    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder")
    games = _games_in(folder)
    if not games:
        raise BadInput(f"{folder} holds no VGDL games: a game is NAME.txt with its levels NAME_lvl0.txt, NAME_lvl1.txt, ...")
    known = _folders()
    place = folder.resolve()
    if place not in known:
        _write([*known, place])
    return len(games)


def remove_folder(folder: Path) -> None:
    """Forget a registered folder; its files stay where they are."""
    known = _folders()
    place = folder.resolve()
    if place not in known:
        listed = ", ".join(map(str, known)) or "none is"
        raise BadInput(f"{folder} is not registered; registered: {listed}")
    _write([path for path in known if path != place])


def _write(folders: list[Path]) -> None:
    try:
        _file().parent.mkdir(parents=True, exist_ok=True)
        _file().write_text("".join(f"{path}\n" for path in folders), encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot write {_file()}: {error}") from None
