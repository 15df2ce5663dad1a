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
from paidia.games import load
from paidia.match.clocks import START_TICKS, TICK
from paidia.match.referee import play_match
from paidia.players.registry import make_player, parse_settings

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

USED = 0.95  # of a tick, see search/arcade/clock.pxd


def iterations(folder: Path, name: str, arguments: argparse.Namespace) -> float:
    """The median over the first ticks of a game; on a busy machine, from the processor time that as many simulations take."""
    game = load(str(folder / f"{name}.txt"), level="0")
    settings = parse_settings(arguments.set)
    player = make_player(arguments.agent, settings=settings)
    record = play_match(game, [player], seed=1, budget=Budget(seconds=TICK), max_steps=arguments.ticks).record
    played = [n for (n,) in record.simulations]
    if not arguments.processor:
        return statistics.median(played)
    budget = Budget(simulations=int(statistics.median(played)))
    counts: list[float] = []
    for seed in range(3):
        start = Budget(simulations=START_TICKS * budget.simulations)
        player.begin(game, 0, state=game.initial_state(seed), seed=seed, budget=start)
        state = game.initial_state(seed)
        while not state.terminal and state.tick < arguments.ticks:
            began = time.process_time()
            decision = player.act(state, step=state.tick, budget=budget)
            counts.append(decision.simulations / (time.process_time() - began) * USED * TICK)
            state.play(decision.move)
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
