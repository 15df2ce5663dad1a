"""A VGDL level: a rectangle of characters, each standing for the sprites that the level mapping gives it."""

from __future__ import annotations

from dataclasses import dataclass, field

from paidia.core.errors import RuleError
from paidia.games.vgdl.language import ontology
from paidia.games.vgdl.language.description import Description

__all__ = ["Level", "parse_level"]

MAX_SIDE = 400
MAX_CELLS = 40_000
MAX_SPRITES = 10_001  # the language's own limit: nothing is created beyond it
MAX_BLOCK = 4_096


@dataclass(slots=True)
class Level:
    """Where the sprites of a level stand: (type, column, row) in the order of their creation."""

    width: int
    height: int
    block: int
    sprites: list[tuple[int, int, int]]
    tolerated: list[RuleError] = field(default_factory=list)


def parse_level(text: str, description: Description, *, file: str = "") -> Level:
    """Read a level for a description; unmapped characters are in `tolerated` and stay empty."""
    rows = [row.rstrip("\r") for row in text.split("\n")]
    if rows and rows[-1] == "":
        rows.pop()  # the end of the last line, not a line of its own
    width, height = len(rows[0]) if rows else 0, len(rows)
    if not width:
        raise RuleError("the first line of a level is empty, so the level has no width", file=file, line=1, column=1)
    if width > MAX_SIDE or height > MAX_SIDE or width * height > MAX_CELLS:
        raise RuleError(
            f"a level may have at most {MAX_SIDE} rows and columns and {MAX_CELLS:,} cells, not {width} x {height}",
            file=file,
            line=1,
        )
    level = Level(width, height, block_size(description, width, height), [])
    singles = {type_.id for type_ in description.types if type_.singleton}
    present: set[int] = set()
    strange: set[str] = set()  # characters that have been complained about
    avatars = 0
    for row, line in enumerate(rows):
        for column, character in enumerate(line[:width]):
            if character not in description.mapping:
                if character != " " and character not in strange:
                    strange.add(character)
                    level.tolerated.append(
                        RuleError(
                            f"the character {character!r} is in no LevelMapping line",
                            file=file,
                            line=row + 1,
                            column=column + 1,
                        )
                    )
                continue
            for name, _, _ in description.mapping[character]:
                type_ = description.by_name.get(name)
                if type_ is None or not type_.cls:
                    if character in strange:
                        continue
                    strange.add(character)
                    why = "is not a sprite" if type_ is None else "has no class"
                    level.tolerated.append(
                        RuleError(
                            f"{character!r} is mapped to {name!r}, which {why}",
                            file=file,
                            line=row + 1,
                            column=column + 1,
                        )
                    )
                    continue
                path = type_.path
                if singles and any(one in singles and one in present for one in path):
                    continue
                is_avatar = ontology.is_a(type_.cls, "MovingAvatar")
                if len(level.sprites) >= MAX_SPRITES:
                    raise RuleError(
                        f"the level has more than {MAX_SPRITES - 1:,} sprites",
                        file=file,
                        line=row + 1,
                        column=column + 1,
                    )
                present.update(path)
                avatars += is_avatar
                level.sprites.append((type_.id, column, row))
    if avatars < description.players:
        found = "no avatar: no character of it is" if not avatars else "one avatar for two players: only one character of it is"
        raise RuleError(f"the level has {found} mapped to a sprite with an avatar class", file=file, line=1)
    return level


def block_size(description: Description, width: int, height: int) -> int:
    """The side of a cell in pixels."""
    text = description.settings.get("square_size", "")
    if text.isdecimal() and len(text) < 6 and int(text) > 0:
        return min(int(text), MAX_BLOCK)
    return max(2, 800 // max(width, height))
