"""`paidia games`: what can be played."""

from __future__ import annotations

from pathlib import Path

from paidia.cli.output import matches, print_json, progress_console, table
from paidia.core.errors import BadInput
from paidia.games import catalogue
from paidia.games.vgdl.folders import add_folder, remove_folder


def run(filter: str = "", /, *, add: Path | None = None, remove: Path | None = None, json: bool = False) -> None:
    """List the games that can be played by id: those that come with paidia, and those of registered folders.

    Args:
        filter: Show only games whose id, world or summary has this text in it.
        add: Register a folder of VGDL games (NAME.txt with NAME_lvl0.txt, ...), so that each can be played as vgdl:NAME.
        remove: Forget a registered folder; its files stay where they are.
        json: Print one JSON document.
    """
    if remove is not None:
        remove_folder(remove)
        progress_console.print(f"{remove}: its games are no longer listed", markup=False)
    if add is not None:
        count = add_folder(add)
        progress_console.print(f"{add}: {count} games can now be played by id", markup=False)
    games = [game for game in catalogue() if matches(filter, game.id, game.world, game.summary)]
    if filter and not games:
        raise BadInput(f"no game has {filter!r} in its id, world or summary; `paidia games` lists them all")
    if json:
        print_json(games)
        return
    table(
        "",
        ["id", "world", ">roles", ">levels", "summary"],
        [[g.id, g.world, str(len(g.roles)), str(g.levels or ""), g.summary] for g in games],
    )
