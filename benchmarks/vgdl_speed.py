"""How fast the VGDL engine advances and copies, beside the Java GVGAI framework on one core of a comparable
machine.

    python benchmarks/vgdl_speed.py RULES_DIR [GAME ...] [--fast] [--scale F] [--walls]

RULES_DIR is a folder with the public game descriptions and levels (`examples/gridphysics` of a GVGAI clone).
`--scale` is how much faster this machine is than the one the Java figures come from (1 if it is the same). A
random player plays level 0 from the start, again and again; a copy is taken of the state after 50 ticks. Best
of several rounds, in CPU time. `--walls` shows instead what a tick costs when a level gets twice as many walls
that nothing ever touches.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

from paidia.games.vgdl.compile.loading import game_from_files, game_from_text
from paidia.games.vgdl.engine.game import VgdlGame

JAVA = {  # advances per second, copies per second
    "aliens": (72_282, 24_297),
    "bait": (421_671, 179_324),
    "butterflies": (46_194, 23_565),
    "camelRace": (61_273, 22_863),
    "chase": (59_772, 26_240),
    "chopper": (24_654, 20_120),
    "crossfire": (36_922, 21_281),
    "digdug": (27_497, 13_783),
    "escape": (64_518, 61_487),
    "boulderdash": (12_677, 16_391),
    "seaquest": (139_035, 37_492),
    "zelda": (52_407, 59_817),
    "sokoban": (168_153, 48_869),
    "plaqueattack": (37_699, 17_588),
}


def advance_rate(game: VgdlGame, rounds: int = 5) -> float:
    """Ticks per second of a random player, each game from the start."""
    root, state = game.initial_state(1), game.initial_state(1)
    best = 0.0
    for round_ in range(rounds):
        ticks, seed, begin = 0, 1000 * round_, time.process_time()
        while time.process_time() - begin < 0.2:
            state.copy_from(root)
            state.seed(seed)
            ticks += state.random_run(seed, 2000)
            seed += 1
        best = max(best, ticks / (time.process_time() - begin))
    return best


def wall_cost(rules: Path, name: str) -> tuple[int, int, float]:
    """Walls of level 0, walls with as many again below it, and by how much a tick gets dearer."""
    text = (rules / f"{name}.txt").read_text().replace("BasicGame", "BasicGame square_size=30", 1)
    rows = (rules / f"{name}_lvl0.txt").read_text().split()
    walls = sum(row.count("w") for row in rows)
    more = rows + ["w" * len(rows[0])] * -(-walls // len(rows[0]))
    small = game_from_text(text, "\n".join(rows), as_reference=True)
    large = game_from_text(text, "\n".join(more), as_reference=True)
    before = max(advance_rate(small), advance_rate(small))
    return walls, sum(row.count("w") for row in more), before / advance_rate(large) - 1


def measure(rules: Path, name: str, *, fast: bool, rounds: int = 5) -> tuple[float, float, int]:
    """Advances per second, copies per second, bytes of a state."""
    game = game_from_files(
        str(rules / f"{name}.txt"),
        str(rules / f"{name}_lvl0.txt"),
        id=name,
        as_reference=True,
        reference_generator=not fast,
    )
    copies = 0.0
    middle = game.initial_state(1)
    middle.random_run(5, 50)
    for _ in range(rounds):
        begin = time.process_time()
        middle.copies(20_000)
        copies = max(copies, 20_000 / (time.process_time() - begin))
    return advance_rate(game, rounds), copies, middle.size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", type=Path)
    parser.add_argument("games", nargs="*", default=list(JAVA))
    parser.add_argument("--fast", action="store_true", help="the quicker generator instead of the reference's")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--walls", action="store_true", help="what twice as many walls cost")
    given = parser.parse_args()
    if given.walls:
        for name in given.games:
            walls, more, cost = wall_cost(given.rules, name)
            print(f"{name:14} {walls:4} -> {more:4} walls: {cost:+.1%} per tick", flush=True)
        return
    ratios: list[tuple[float, float]] = []
    print(f"{'game':14} {'advance/s':>11} {'ratio':>6} {'copy/s':>11} {'ratio':>6} {'bytes':>7}")
    for name in given.games:
        advances, copies, size = measure(given.rules, name, fast=given.fast)
        java = JAVA.get(name, (math.nan, math.nan))
        ratios.append((advances / java[0] / given.scale, copies / java[1] / given.scale))
        print(
            f"{name:14} {advances:11,.0f} {ratios[-1][0]:6.1f} {copies:11,.0f} {ratios[-1][1]:6.1f} {size:7,}",
            flush=True,
        )
    means = [math.exp(sum(math.log(ratio[k]) for ratio in ratios) / len(ratios)) for k in (0, 1)]
    print(f"geometric mean: advance {means[0]:.1f}x, copy {means[1]:.1f}x")


if __name__ == "__main__":
    main()
