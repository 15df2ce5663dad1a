"""From files to a game ready to play."""

from __future__ import annotations

from paidia.games.vgdl.compile.tables import build
from paidia.games.vgdl.engine.game import VgdlGame
from paidia.games.vgdl.language.description import parse
from paidia.games.vgdl.language.level import parse_level
from paidia.games.vgdl.language.text import read_text

__all__ = ["game_from_files", "game_from_text"]


def game_from_text(
    rules: str,
    level: str,
    *,
    id: str = "",
    level_name: str = "",
    rules_file: str = "",
    level_file: str = "",
    as_reference: bool = False,
    reference_generator: bool = True,
) -> VgdlGame:
    """The game that a description and a level define; the first mistake is raised as a `RuleError`."""
    description = parse(rules, file=rules_file, as_reference=as_reference)
    if description.errors and not as_reference:
        raise description.errors[0]
    tables = build(description, parse_level(level, description, file=level_file))
    return VgdlGame(tables, id=id, level=level_name, reference_generator=reference_generator)


def game_from_files(
    rules: str,
    level: str,
    *,
    id: str = "",
    level_name: str = "",
    as_reference: bool = False,
    reference_generator: bool = True,
) -> VgdlGame:
    """The same from paths."""
    return game_from_text(
        read_text(rules),
        read_text(level),
        id=id or rules,
        level_name=level_name or level,
        rules_file=rules,
        level_file=level,
        as_reference=as_reference,
        reference_generator=reference_generator,
    )
