"""`paidia games`: what can be played."""

from __future__ import annotations

from paidia.cli.output import print_json, table
from paidia.games import catalogue


def run(*, json: bool = False) -> None:
    """List the games that come with paidia.

    Args:
        json: Print one JSON document.
    """
    games = catalogue()
    if json:
        print_json(games)
        return
    table(
        "",
        ["id", "world", ">roles", ">levels", "summary"],
        [[g.id, g.world, str(len(g.roles)), str(g.levels or ""), g.summary] for g in games],
    )
