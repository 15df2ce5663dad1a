"""`paidia demo`: a first look in a few seconds."""

from __future__ import annotations

from statistics import mean

from rich.progress import track

from paidia.cli.match_view import show_result, watcher
from paidia.cli.output import console, progress_console, table
from paidia.core.budget import Budget
from paidia.games import load
from paidia.match.referee import play_match
from paidia.players.registry import make_player
from paidia.report.statistics import wilson

MATCHES = 10
TICK_SIMS = 50
PAIRINGS = [
    ("breakthrough", "ppafm", "uct", 1000),
    ("knightthrough", "mast", "uct", 2000),
    ("connect4", "grave", "random", 500),
    ("gdl:quad", "sim-rnd-4", "p-base", 200),
]
VIDEO_GAMES = ["vgdl:museum", "vgdl:vault", "vgdl:ferry"]
VIDEO_AGENTS = ["maastcts2", "sample-mcts", "random"]


def run(*, seed: int = 1) -> None:
    """Watch two agents play a match, then a small tournament with confidence intervals, and some video games.

    Args:
        seed: Same seed, same demo.
    """
    game = load("breakthrough")
    console.print("[bold]One match of breakthrough:[/bold] PPAFM, which learns how to play out games, against plain UCT")
    players = [make_player(agent) for agent in ("ppafm", "uct")]
    result = play_match(game, players, seed=seed, budget=Budget(simulations=5000), watch=watcher(game, False))
    show_result(game, result)
    rows = []
    for name, agent, opponent, sims in PAIRINGS:
        points = _series(name, agent, opponent, sims, seed)
        interval = wilson(MATCHES, points)
        rows.append(
            [
                name,
                agent,
                opponent,
                f"{sims:,}",
                str(MATCHES),
                f"{100 * points / MATCHES:.0f} %",
                f"{100 * interval.low:.0f} to {100 * interval.high:.0f} %",
            ]
        )
    table("A small tournament", ["game", "agent", "opponent", ">sims/move", ">matches", ">won", ">95 % interval"], rows)
    played = [_video_game(name, agent, seed) for name in VIDEO_GAMES for agent in VIDEO_AGENTS]
    title = f"Video games, five levels each, {TICK_SIMS} simulations per tick"
    table(title, ["game", "agent", ">won", ">mean score", ">ticks"], played)
    console.print("Next: [bold]paidia games[/bold], [bold]paidia agents[/bold], [bold]paidia play --help[/bold]")


def _series(name: str, agent: str, opponent: str, sims: int, seed: int) -> float:
    """Points of `agent` in MATCHES matches, seats swapped after each."""
    game = load(name)
    points = 0.0
    for number in track(range(MATCHES), description=f"{name}: {agent} against {opponent}", console=progress_console):
        seat = number % 2
        players = [make_player(who) for who in ((agent, opponent) if seat == 0 else (opponent, agent))]
        goals = play_match(game, players, seed=seed + number // 2, budget=Budget(simulations=sims)).record.goals
        points += 1.0 if goals[seat] > goals[1 - seat] else 0.5 if goals[0] == goals[1] else 0.0
    return points


def _video_game(name: str, agent: str, seed: int) -> list[str]:
    """A row of the last table: all levels of a video game once."""
    records = []
    shown = f"{name.removeprefix('vgdl:')}: {agent}"  # rich would draw `:ferry:` as a ship
    for level in track(range(5), description=shown, console=progress_console):
        game, budget = load(name, level=str(level)), Budget(simulations=TICK_SIMS)
        records.append(play_match(game, [make_player(agent)], seed=seed, budget=budget).record)
    return [
        name,
        agent,
        f"{sum(record.goals[0] for record in records):g}",
        f"{mean(record.reported_scores[0] for record in records):g}",
        f"{sum(len(record.moves) for record in records):,}",
    ]
