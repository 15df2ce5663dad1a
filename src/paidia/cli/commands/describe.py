"""`paidia describe`: what random play says about a game."""

from __future__ import annotations

from paidia.cli.output import print_json, table
from paidia.core.game import Game
from paidia.experiment.studies.describe import describe
from paidia.games import load_as
from paidia.report.estimates import from_to, share_of_pairs
from paidia.report.statistics import Interval, Z


def run(game: str, /, *, playouts: int = 1_000_000, seed: int = 0, threads: int = 0, json: bool = False) -> None:
    """Length, branching, goals and the first role's advantage, over many uniformly random games.

    Rule sheets are played in lanes, hundreds of games in step (docs/lanes.md); other games state by state.

    Args:
        game: Id of a game, or path of a rule file.
        playouts: How many games.
        seed: Same seed and playouts, same result.
        threads: 0: all cores.
        json: Print one JSON document.
    """
    found = describe(load_as(Game, game), playouts, seed=seed, threads=threads or None)
    if json:
        print_json(found)
        return
    play = found.play
    rows = [
        ["games", f"{play.games:,}" + (f", and {play.stopped:,} stopped as too long" if play.stopped else "")],
        [
            "length",
            f"{play.length:.2f} joint moves, deviation {play.length_deviation:.2f}, {play.shortest:,} to {play.longest:,}",
        ],
        ["branching", f"{play.branching:.2f} legal moves in a choice"],
    ]
    for role in play.goals:
        shares = ", ".join(f"{100 * value:g}: {count / play.games:.2%}" for value, count in role.values[:6])
        more = ", ..." if len(role.values) > 6 else ""
        total, squares = (sum(count * value**power for value, count in role.values) for power in (1, 2))
        goal = from_to(share_of_pairs(play.games, total, squares).scaled(100.0), decimals=3)
        rows.append([f"goal of {role.role}", f"{goal}; {shares}{more}"])
    if found.advantage is not None:
        mean, half = found.advantage[0], Z * found.advantage[1]
        advantage = Interval(mean, max(-1.0, mean - half), min(1.0, mean + half), play.games)
        rows.append(["first role's advantage", from_to(advantage.scaled(100.0), decimals=3, sign=True)])
    by = f"lanes, {found.operations:,} operations a step" if found.by == "lanes" else f"states side by side: {found.reason}"
    rate = play.games / max(found.seconds, 1e-9)
    rows.append(["played by", by])
    rows.append(["took", f"{found.seconds:.2f} s, {rate:,.0f} games/s (and {found.preparation:.2f} s to get ready)"])
    table(found.game, ["", "random play"], rows)
