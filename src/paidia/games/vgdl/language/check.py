"""Every mistake in a VGDL description and its levels, for `paidia check`."""

from __future__ import annotations

from pathlib import Path

from paidia.core.errors import RuleError
from paidia.games.vgdl.language.description import Description, parse
from paidia.games.vgdl.language.level import parse_level
from paidia.games.vgdl.language.text import read_text
from paidia.games.vgdl.library import level_path, levels_of

__all__ = ["check_file"]


def check_file(path: str | Path, level: str | None = None) -> list[RuleError]:
    """All mistakes of a description and of its levels: one (number or path), or all that stand beside it.

    The path of a level (`NAME_lvlN.txt`) checks `NAME.txt` with that level.
    """
    path = Path(path)
    name, mark, number = path.stem.rpartition("_lvl")
    if mark and number.isdecimal() and path.with_name(f"{name}.txt").is_file():
        path, level = path.with_name(f"{name}.txt"), str(path)
    try:
        description = parse(read_text(path), file=str(path))
    except RuleError as error:
        return [error]
    found = [*description.errors, *description.tolerated]
    for one in levels_of(path) if level is None else [level_path(path, level)]:
        found += _check_level(one, description)
    found.sort(key=lambda error: (error.file != str(path), error.file, error.line, error.column))
    return found


def _check_level(path: Path, description: Description) -> list[RuleError]:
    try:
        return parse_level(read_text(path), description, file=str(path)).tolerated
    except RuleError as error:
        return [error]
