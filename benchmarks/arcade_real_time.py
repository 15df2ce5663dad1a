"""Whether a search keeps the clock of a competition: shares of ticks over 40 and 50 ms, and the memory of a long match.

    python benchmarks/arcade_real_time.py [--agent maastcts2] [--ticks 500] [--set KEY=VALUE ...] GAME ...

GAME is an id of the library or the path of a description. Each game is played once from its first level, and again after
its end until the ticks are used. The last columns are the slowest tick and how much the process grew after the first tenth.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from paidia.core.budget import Budget
from paidia.games import load_arcade
from paidia.players.registry import make_arcade_player, parse_settings


def resident() -> float:
    """Megabytes of this process in memory; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * 4096 / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--agent", default="maastcts2")
    parser.add_argument("--ticks", type=int, default=500)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    arguments = parser.parse_args()
    print(f"{'game':24} {'ticks':>6} {'games':>5} {'>40 ms':>7} {'>50 ms':>7} {'slowest ms':>10} {'iterations':>10}"
          f" {'grew MB':>8}")
    for name in arguments.games:
        game = load_arcade(name, level="0")
        player = make_arcade_player(
            arguments.agent, budget=Budget(seconds=0.04), settings=parse_settings(arguments.set))
        took: list[float] = []
        simulations = games = 0
        memory = 0.0
        while len(took) < arguments.ticks:
            games += 1
            state = game.initial_state(games)
            view = state.copy()
            player.begin(game, view, seed=games, start_clock=1.0)
            while not state.over and len(took) < arguments.ticks:
                view.copy_from(state)
                view.seed(len(took))
                began = time.perf_counter()
                decision = player.act(view)
                took.append(time.perf_counter() - began)
                simulations += decision.simulations
                state.play(decision.action)
                if len(took) == arguments.ticks // 10:
                    memory = resident()
        share = [sum(t > limit for t in took) / len(took) for limit in (0.04, 0.05)]
        print(f"{Path(name).stem:24} {len(took):6} {games:5} {share[0]:7.2%} {share[1]:7.2%} {1000 * max(took):10.1f}"
              f" {simulations / len(took):10.0f} {resident() - memory:8.1f}", flush=True)


if __name__ == "__main__":
    main()
