"""What the runner costs for each match: a plan of short matches, against the same matches in a plain loop.

    python benchmarks/runner_overhead.py [--matches 10000] [--workers 1]

Overhead = time of the run / matches - time of the plain loop / matches / workers. Target: below 2 ms.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from paidia.experiment.expand import expand
from paidia.experiment.plan import AgentEntry, Plan
from paidia.experiment.play import play
from paidia.experiment.run.local import LocalBackend
from paidia.experiment.run.runner import run_plan
from paidia.experiment.store import Store


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--game", default="tic-tac-toe")
    options = parser.parse_args()
    plan = Plan(
        games=[options.game],
        agents=["random"],
        opponents=[AgentEntry(id="random", name="other")],
        matches=options.matches,
    )
    (cell,) = expand(plan)
    play(cell, 0, 0)
    began = time.perf_counter()
    for number in range(options.matches):
        play(cell, *divmod(number, 2))
    loop = time.perf_counter() - began
    with (
        tempfile.TemporaryDirectory() as folder,
        Store(Path(folder) / "overhead.sqlite", write=True) as store,
    ):
        began = time.perf_counter()
        run_plan(plan, store, backend=LocalBackend(options.workers))
        run = time.perf_counter() - began
        assert store.count() == options.matches
    each = 1000.0 / options.matches
    print(f"{options.matches:,} matches of {options.game}, random against random, {options.workers} workers")
    print(f"plain loop {loop * each:.3f} ms per match, run {run * each:.3f} ms per match, workers started")
    print(f"overhead {(run - loop / options.workers) * each:.3f} ms per match")


if __name__ == "__main__":
    main()
