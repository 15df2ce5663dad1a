"""`paidia demo`: a first look in a few seconds."""

from __future__ import annotations

from statistics import mean

from paidia.cli.match_view import show_result, watcher
from paidia.cli.output import say, table, tracked
from paidia.core.budget import Budget
from paidia.games import load
from paidia.match.referee import play_match
from paidia.players.registry import make_player
from paidia.report.statistics import wilson

MATCHES = 10
FIRST_SIMS = 5000
TICK_SIMS = 50
PAIRINGS = [
    ("breakthrough", "ppafm", "uct", 1000),
    ("knightthrough", "mast", "uct", 2000),
    ("connect4", "grave", "random", 500),
    ("gdl:quad", "ntbea-4", "p-base", 200),
]
VIDEO_GAMES = ["vgdl:museum", "vgdl:vault", "vgdl:ferry"]
VIDEO_AGENTS = ["maastcts2", "sample-mcts", "random"]


def run(*, seed: int = 1) -> None:
    """Watch two agents play a match, then a small tournament with confidence intervals, and some video games.

    Args:
        seed: Same seed, same demo.
    """
    game = load("breakthrough")
    say("One match of breakthrough: PPAFM, which learns how to play out games, against plain UCT", style="bold")
    players = [make_player(agent) for agent in ("ppafm", "uct")]
    result = play_match(game, players, seed=seed, budget=Budget(simulations=FIRST_SIMS), watch=watcher(game, False))
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
    say("Next: paidia games, paidia agents, paidia play --help", style="bold")


def _series(name: str, agent: str, opponent: str, sims: int, seed: int) -> float:
    """Points of `agent` in MATCHES matches, seats swapped after each."""
    game = load(name)
    points = 0.0
    for number in tracked(range(MATCHES), f"{name}: {agent} against {opponent}", total=MATCHES):
        seat = number % 2
        players = [make_player(who) for who in ((agent, opponent) if seat == 0 else (opponent, agent))]
        goals = play_match(game, players, seed=seed + number // 2, budget=Budget(simulations=sims)).record.goals
        points += 1.0 if goals[seat] > goals[1 - seat] else 0.5 if goals[0] == goals[1] else 0.0
    return points


def _video_game(name: str, agent: str, seed: int) -> list[str]:
    """A row of the last table: all levels of a video game once."""
    records = []
    for level in tracked(range(5), f"{name}: {agent}", total=5):
        game, budget = load(name, level=str(level)), Budget(simulations=TICK_SIMS)
        records.append(play_match(game, [make_player(agent)], seed=seed, budget=budget).record)
    return [
        name,
        agent,
        f"{sum(record.goals[0] for record in records):g}",
        f"{mean(record.reported_scores[0] for record in records):g}",
        f"{sum(len(record.moves) for record in records):,}",
    ]
