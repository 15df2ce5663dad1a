"""`paidia perft`: count the lines of play of a game."""

from __future__ import annotations

from paidia.cli.output import print_json, table
from paidia.core.game import Game
from paidia.games import load_as
from paidia.games.gdl.hidden import HiddenGame
from paidia.games.gdl.lanes.perft import lane_perft
from paidia.games.perft import perft


def run(game: str, depth: int, /, *, memory: float = 2000.0, lanes: bool = False, json: bool = False) -> None:
    """Count the sequences of joint moves from the start of a game, and the states they lead to.

    Two sets of rules that agree on these counts are very likely the same game.

    Args:
        game: Id of a game, or path of a rule file.
        depth: Length of the longest sequences.
        memory: Megabytes that the states met may take.
        lanes: Play thousands of positions in step, on all cores: the same counts, sooner; rule sheets only (docs/lanes.md).
        json: Print one JSON document.
    """
    rules = load_as(Game, game)
    if isinstance(rules, HiddenGame):
        rules = rules.inner  # GDL-II: chance is the role that the rules make of it, so that its moves are counted
    rows = (lane_perft if lanes else perft)(rules, depth, memory=memory * 1e6)
    if json:
        print_json({"depths": rows})
        return
    table(
        "",
        [">depth", ">paths", ">states", ">terminal paths", ">goal sums"],
        [
            [
                str(row["depth"]),
                f"{row['paths']:,}",
                f"{row['states']:,}",
                f"{row['terminal_paths']:,}",
                " ".join(f"{goal:,g}" if goal % 1 else f"{int(goal):,}" for goal in row["goal_sums"]),
            ]
            for row in rows
        ],
    )
