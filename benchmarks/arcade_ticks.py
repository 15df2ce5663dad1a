"""Iterations of a search per tick of 40 ms on the first levels of 14 GVGAI games, beside the Java framework's sample agent.

    python benchmarks/arcade_ticks.py FOLDER [--agent sample-mcts] [--ticks 25] [--processor] [--set KEY=VALUE ...] [GAME ...]

FOLDER holds the descriptions as NAME.txt and the levels as NAME_lvl0.txt. A figure is the median of the first ticks. The
Java figures are of another day on the same kind of machine: compare ratios, not digits.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from pathlib import Path

from paidia.core.budget import Budget
from paidia.games import load_arcade
from paidia.match.arcade import COMPETITION, play_arcade
from paidia.players.registry import make_arcade_player, parse_settings

#: iterations of sampleMCTS (Java) in a tick
JAVA = {
    "aliens": 220,
    "bait": 1031,
    "butterflies": 145,
    "camelRace": 153,
    "chase": 165,
    "chopper": 76,
    "crossfire": 104,
    "digdug": 72,
    "escape": 203,
    "boulderdash": 40,
    "seaquest": 259,
    "zelda": 177,
    "sokoban": 391,
    "plaqueattack": 98,
}

TICK = 0.04
USED = 0.95  # of a tick, see search/arcade/clock.pxd


def iterations(folder: Path, name: str, arguments: argparse.Namespace) -> float:
    """The median over the first ticks of a game; on a busy machine, from the processor time that as many simulations take."""
    game = load_arcade(str(folder / f"{name}.txt"), level="0")
    settings = parse_settings(arguments.set)
    clock = make_arcade_player(arguments.agent, budget=Budget(seconds=TICK), settings=settings)
    played = play_arcade(game, clock, seed=1, clocks=COMPETITION, max_ticks=arguments.ticks).record.simulations
    if not arguments.processor:
        return statistics.median(played)
    counted = make_arcade_player(arguments.agent, budget=Budget(simulations=int(statistics.median(played))), settings=settings)
    counts: list[float] = []
    for seed in range(3):
        counted.begin(game, game.initial_state(seed), seed=seed, start_clock=0.0)
        state = game.initial_state(seed)
        while not state.over and state.tick < arguments.ticks:
            began = time.process_time()
            decision = counted.act(state)
            counts.append(decision.simulations / (time.process_time() - began) * USED * TICK)
            state.play(decision.action)
    return statistics.median(counts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="*", default=list(JAVA), metavar="GAME")
    parser.add_argument("--agent", default="sample-mcts")
    parser.add_argument("--ticks", type=int, default=25)
    parser.add_argument("--processor", action="store_true", help="by processor time, for a busy machine")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    arguments = parser.parse_args()
    ratios = []
    print(f"{'game':14} {arguments.agent:>12} {'Java':>6} {'ratio':>6}")
    for name in arguments.games:
        count = iterations(arguments.folder, name, arguments)
        ratios.append(count / JAVA[name])
        print(f"{name:14} {count:12.0f} {JAVA[name]:6} {ratios[-1]:6.1f}")
    print(f"geometric mean {math.exp(statistics.fmean(map(math.log, ratios))):.1f}")


if __name__ == "__main__":
    main()
