"""How fast GDL games are, from rules to playouts: the fourteen games of the papers, beside their Java player.

    python benchmarks/gdl_speed.py FOLDER [--seconds S] [GAME ...]

FOLDER holds the rule sheets as KEY/*.kif or KEY.kif. All rates are per second of processor time, the best of some runs, so that
a busy machine disturbs them little. The Java player's rates were measured on another day: they are scaled by what
OpenSpiel's C++ breakthrough does here and now against what it did then, so the ratios are meant for comparison, not for
records. Games that are not among the fourteen are shown without a ratio.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from pathlib import Path

from paidia.games.gdl.load import load_file

#: propositional net in Java: random playouts per second, on the machine where OPENSPIEL_THEN was measured
JAVA = {
    "tictactoe_3d_2player": 10039,
    "breakthrough": 3375,
    "knightThrough": 6331,
    "chinook": 4616,
    "chineseCheckers3": 11954,
    "checkers": 995,
    "connect5": 2681,
    "quad_7x7": 5408,
    "sheepAndWolf": 5592,
    "ttcc4_2player": 3007,
    "ttcc4": 3981,
    "connect4": 22912,
    "pentago": 6836,
    "reversi": 409,
}
OPENSPIEL_THEN = 22900.0


def best_rate(run: Callable[[], int], seconds: float) -> float:
    """The best rate of the runs that fit into the time, three at least; `run` returns how much it did."""
    rates: list[float] = []
    end = time.process_time() + seconds
    while len(rates) < 3 or time.process_time() < end:
        began = time.process_time()
        done = run()
        rates.append(done / max(time.process_time() - began, 1e-9))
    return max(rates)


def openspiel_breakthrough(seconds: float) -> float | None:
    """Random playouts per second of OpenSpiel's C++ breakthrough, its loop on the C++ side."""
    try:
        import pyspiel
    except ImportError:
        return None
    rules = pyspiel.load_game("breakthrough")
    state = rules.new_initial_state()

    def run() -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(2000, 1)
        pyspiel.MCTSBot(rules, evaluator, 1.0, 1, 100, False, 1, False).mcts_search(state)
        return 2000

    return best_rate(run, seconds)


def measure(path: Path, seconds: float) -> tuple[float, float, float, float]:
    """Seconds from text to the end of the first playout, playouts per second cold and warm, joint moves of a playout."""
    began = time.perf_counter()
    game = load_file(path)
    start = game.initial_state()
    start.random_playouts(1, 1)
    load = time.perf_counter() - began
    began = time.process_time()
    n = 1
    while time.process_time() - began < min(0.2, seconds):
        start.random_playouts(n, n)
        n *= 2
    cold = (n - 1) / (time.process_time() - began)
    batch = max(1, int(cold * seconds / 8))
    steps = 0

    def run() -> int:
        nonlocal steps
        steps = start.random_playouts(time.perf_counter_ns(), batch)
        return batch

    return load, cold, best_rate(run, seconds), steps / batch


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="*", help="keys of the games; left out: the fourteen games, `all`: everything")
    parser.add_argument("--seconds", type=float, default=1.0)
    arguments = parser.parse_intermixed_args()
    peer = openspiel_breakthrough(arguments.seconds)
    scale = peer / OPENSPIEL_THEN if peer else 1.0
    print(f"OpenSpiel breakthrough: {f'{peer:.0f} playouts/s' if peer else 'not installed'}")
    print(f"{'game':24s} {'load s':>7s} {'cold/s':>9s} {'playouts/s':>11s} {'length':>7s} {'us/move':>8s} {'x Java':>7s}")
    games = arguments.games or list(JAVA)
    if games == ["all"]:
        games = sorted(path.name for path in arguments.folder.iterdir() if path.is_dir())
    ratios: dict[str, float] = {}
    for key in games:
        [path] = sorted((arguments.folder / key).glob("*.kif")) or [arguments.folder / f"{key}.kif"]
        load, cold, rate, length = measure(path, arguments.seconds)
        ratio = ""
        if key in JAVA:
            ratios[key] = rate / (JAVA[key] * scale)
            ratio = f"{ratios[key]:.1f}"
        line = f"{key:24s} {load:7.3f} {cold:9.0f} {rate:11.0f} {length:7.1f} {1e6 / rate / length:8.3f} {ratio:>7s}"
        print(line, flush=True)
        if key == "breakthrough" and peer:
            print(f"{'':24s} {rate / peer:.2f} times OpenSpiel")
    if ratios:
        mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
        print(f"geometric mean {mean:.1f} times Java, least {min(ratios.values()):.1f} ({min(ratios, key=ratios.__getitem__)})")


if __name__ == "__main__":
    main()
