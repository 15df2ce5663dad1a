"""Whether a search keeps the clock of a competition: ticks over 40 and 50 ms, and the memory of a long match.

    python benchmarks/arcade_real_time.py [--agent maastcts2] [--ticks 500] [--set KEY=VALUE ...] GAME ...

GAME is an id of the library or the path of a description. Each game is played once from its first level, and again after
its end until the ticks are used. Beside the slowest tick stands the longest processor time of a tick: where that is within
the clock, a late tick is one in which the system gave the core to something else (another process, or another virtual
machine). The last column is how much the process grew after the first tenth.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from paidia.core.budget import Budget
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision, Player
from paidia.games import load
from paidia.match.clocks import TICK
from paidia.match.referee import play_match
from paidia.players.registry import make_player, parse_settings


def resident() -> float:
    """Megabytes of this process in memory; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * 4096 / 1e6


class Measured(Player):
    """A player whose ticks are measured from outside, in processor time."""

    def __init__(self, player: Player) -> None:
        self.name = player.name
        self.player = player
        self.ticks = 0
        self.processor = 0.0  # of the longest tick
        self.memory: dict[int, float] = {}  # after so many ticks

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        self.player.begin(game, role, state=state, seed=seed, budget=budget)

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        began = time.thread_time()
        decision = self.player.act(state, step=step, budget=budget)
        self.processor = max(self.processor, time.thread_time() - began)
        self.ticks += 1
        if self.ticks % 100 == 0:
            self.memory[self.ticks] = resident()
        return decision


def over(seconds: list[float], limit: float) -> int:
    """How many are longer than a limit."""
    return sum(t > limit for t in seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--agent", default="maastcts2")
    parser.add_argument("--ticks", type=int, default=500)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    arguments = parser.parse_args()
    print(
        f"{'game':24} {'ticks':>7} {'games':>5} {'>40 ms':>6} {'>50 ms':>6} {'slowest ms':>10} {'cpu ms':>6} {'iterations':>10}"
        f" {'grew MB':>8}"
    )
    total: list[float] = []
    for name in arguments.games:
        game = load(name, level="0")
        player = Measured(make_player(arguments.agent, settings=parse_settings(arguments.set)))
        took: list[float] = []
        simulations = games = 0
        while len(took) < arguments.ticks:
            games += 1
            left = arguments.ticks - len(took)
            result = play_match(game, [player], seed=games, budget=Budget(seconds=TICK), max_steps=left)
            took += [tick.seconds for tick in result.asked[0]]
            simulations += result.simulations[0]
        memory = [megabytes for ticks, megabytes in player.memory.items() if ticks >= len(took) / 10]
        grew = memory[-1] - memory[0] if memory else 0.0
        total += took
        print(
            f"{Path(name).stem:24} {len(took):7,} {games:5} {over(took, 0.04):6} {over(took, 0.05):6} {1000 * max(took):10.1f}"
            f" {1000 * player.processor:6.1f} {simulations / len(took):10.0f} {grew:8.1f}",
            flush=True,
        )
    print(f"{'all':24} {len(total):7,} {'':5} {over(total, 0.04):6} {over(total, 0.05):6} {1000 * max(total):10.1f}")


if __name__ == "__main__":
    main()
