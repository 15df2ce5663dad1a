"""`paidia games`: what can be played."""

from __future__ import annotations

from pathlib import Path

from paidia.cli.output import note, print_json, table
from paidia.games import catalogue
from paidia.games.vgdl.folders import add_folder


def run(*, add: Path | None = None, json: bool = False) -> None:
    """List the games that can be played by id: those that come with paidia, and those of registered folders.

    Args:
        add: Register a folder of VGDL games (NAME.txt with NAME_lvl0.txt, ...), so that each can be played as vgdl:NAME.
        json: Print one JSON document.
    """
    if add is not None:
        count = add_folder(add)
        note(f"{add}: {count} games can now be played by id")
    games = catalogue()
    if json:
        print_json(games)
        return
    table(
        "",
        ["id", "world", ">roles", ">levels", "summary"],
        [[g.id, g.world, str(len(g.roles)), str(g.levels or ""), g.summary] for g in games],
    )
