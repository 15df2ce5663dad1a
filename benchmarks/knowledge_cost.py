"""What a knowledge-based evaluation costs, with remembered distances and with A*, beside ten ticks of the game.

    python benchmarks/knowledge_cost.py [GAME ...]

States are those after ten random ticks; times are nanoseconds, the best of several.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter_ns

from paidia.core.arcade import ArcadeGame
from paidia.games import load_as
from paidia.search.evaluation.knowledge import Knowledge

GAMES = ("vgdl:vault", "vgdl:orchard", "vgdl:museum", "vgdl:parade", "vgdl:snailrace")
TICKS = 10
STATES = 20
TIMES = 200


def best_of(action: Callable[[], object], *, tries: int = 7) -> float:
    """The shortest time of an action in nanoseconds."""
    times = []
    for _ in range(tries):
        start = perf_counter_ns()
        action()
        times.append(perf_counter_ns() - start)
    return min(times)


def measure(name: str) -> tuple[float, float, float]:
    """Nanoseconds of ten ticks, an evaluation by the table, and one by A*."""
    game = load_as(ArcadeGame, name, level="0")
    root = game.initial_state(1)
    state = root.copy()

    def play(seed: int) -> None:
        state.copy_from(root)
        state.random_run(seed, TICKS)

    ticks = sum(best_of(lambda seed=seed: play(seed)) for seed in range(STATES)) / STATES  # type: ignore[misc]
    costs = []
    for table in (True, False):
        knowledge = Knowledge(table=table)
        knowledge.begin_game(game, root)
        knowledge.begin_tick(root)
        total = 0.0
        for seed in range(STATES):
            play(seed)
            total += best_of(lambda asked=knowledge: asked.repeat_evaluate(state, TIMES))  # type: ignore[misc]
        costs.append(total / STATES / TIMES)
    return ticks, costs[0], costs[1]


def main() -> None:
    print(f"{'game':32} {'10 ticks':>10} {'by table':>10} {'by A*':>10}")
    for name in sys.argv[1:] or GAMES:
        ticks, table, search = measure(name)
        print(f"{name[-32:]:32} {ticks:10.0f} {table:10.0f} {search:10.0f}")


if __name__ == "__main__":
    main()
