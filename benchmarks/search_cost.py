"""Processor time of a simulation on fixed work, for comparing two builds: the same seeds and budgets, so the same simulations.

    python benchmarks/search_cost.py boards|gdl|vgdl [REFERENCE] > mine.txt

Run it in both trees in turn (`PYTHONPATH=TREE/src`), more than once, and compare the best of each. REFERENCE is the folder of
reference rules (`gdl/base`, `gvgai/games`) for the last two.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import paidia
from paidia.core.model import Rules
from paidia.players.build import build_search
from paidia.players.registry import load_agent

BOARDS = ["breakthrough", "connect4", "domineering", "hex", "reversi", "go"]
SHEETS = [
    "tictactoe_3d_2player", "breakthrough", "knightThrough", "chinook", "chineseCheckers3", "checkers", "connect5",
    "quad_7x7", "sheepAndWolf", "ttcc4_2player", "ttcc4", "connect4", "pentago", "reversi",
]  # fmt: skip
GAMES = [
    "aliens", "bait", "butterflies", "camelRace", "chase", "chopper", "crossfire", "digdug", "escape", "boulderdash",
    "seaquest", "zelda", "sokoban", "plaqueattack",
]  # fmt: skip


def cost(game: Rules, agent: str, simulations: int, steps: int) -> float:
    """Seconds of a simulation, in the best of three runs of so many steps."""
    best = float("inf")
    for _ in range(3):
        search, state = build_search(load_agent(agent), game), game.initial_state()
        search.begin_game(1)
        began, done = time.process_time(), 0
        for step in range(steps):
            if state.terminal:
                break
            role = state.mover or 0
            result = search.search(state, paidia.Budget(simulations=simulations), role=role, step=step)
            done += result.simulations
            state.play([result.move if seat == role else None for seat in range(game.n_roles)])
        best = min(best, (time.process_time() - began) / max(1, done))
    return best


def work(kind: str, reference: Path) -> Iterator[tuple[str, list[str], int, int]]:
    """Game, agents, simulations and steps of every row."""
    if kind == "boards":
        yield from ((id, ["uct", "grave", "ppaf"], 20_000, 1) for id in BOARDS)
    elif kind == "gdl":
        for name in SHEETS:
            yield str(next((reference / "gdl" / "base" / name).glob("*.kif"))), ["uct", "p-base"], 2_000, 1
    else:
        folder = next(reference.rglob("aliens_lvl0.txt")).parent
        yield from (
            (str(folder / f"{name}.txt"), ["sample-mcts", "mcts-thesis", "maastcts2", "iw-1"], 4_000, 4) for name in GAMES
        )


def main() -> None:
    """One line for each game and agent."""
    kind, reference = sys.argv[1], Path(sys.argv[2] if len(sys.argv) > 2 else ".")
    for spec, agents, simulations, steps in work(kind, reference):
        game = paidia.load(spec)
        for agent in agents:
            print(f"{Path(spec).stem} {agent} {1e6 * cost(game, agent, simulations, steps):.3f}", flush=True)


if __name__ == "__main__":
    main()
