"""Every agent in a game of each world: writes docs/agents.md. Each cell is a result or the reason why there is none.

python tools/write_agents_table.py [--sims N]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import paidia
from paidia.core.budget import Budget
from paidia.core.model import Rules
from paidia.players.registry import agent_ids, load_agent

#: A board, a puzzle in GDL, a GDL game of two roles, a video game, one for two; in games of two roles the opponent is `random`.
GAMES = ["connect4", "gdl:eight-puzzle", "gdl:tic-tac-toe", "vgdl:vault", "vgdl2:furrows"]
PAGE = Path(__file__).parent.parent / "docs" / "agents.md"


def cell(id: str, game: Rules, sims: int, max_steps: int) -> str:
    """How an agent fares in a game."""
    agent = paidia.agent(id)
    reason = agent.player().cannot_play(game, Budget(simulations=sims))
    if reason:
        return reason.removeprefix(f"cannot play {game.id}: ")
    match = paidia.play(game, [agent, *["random"] * (game.n_roles - 1)], sims=sims, seed=1, max_steps=max_steps)
    if scores := match.record.reported_scores:
        return f"{'won' if match.goals[0] else 'not won'}, score {scores[0]:g}, {len(match.record.moves)} ticks"
    if game.n_roles == 1:
        return f"goal {100 * match.goals[0]:g} after {len(match.record.moves)} moves"
    return "won" if match.goals[0] > match.goals[1] else "lost" if match.goals[0] < match.goals[1] else "drawn"


def page(sims: int, max_steps: int) -> str:
    """The whole page."""
    games = [paidia.load(id) for id in GAMES]
    lines = [
        "# Every agent in every world",
        "",
        f"One match each with {sims} simulations per move or tick, at most {max_steps} steps, seed 1; in games of two roles"
        " against `random`. Written by `python tools/write_agents_table.py`: it shows who plays what, not how strong anybody is.",
        "",
        f"| agent | {' | '.join(f'`{id}`' for id in GAMES)} |",
        "| --- " * (1 + len(GAMES)) + "|",
    ]
    for id in agent_ids():
        lines.append(f"| `{id}` | {' | '.join(cell(id, game, sims, max_steps) for game in games)} |")
        print(id, flush=True)
    lines += ["", "What each of them is: `paidia agents`.", ""]
    assert all(load_agent(id).summary for id in agent_ids())
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sims", type=int, default=40)
    parser.add_argument("--max-steps", type=int, default=60)
    arguments = parser.parse_args()
    PAGE.write_text(page(arguments.sims, arguments.max_steps), encoding="utf-8")
