"""Does it pay to stop matches early and judge them by random games? A worse value of a parameter is told from a better one.

    python benchmarks/tune_adjudicate.py GAME C MATCHES STEPS...

`uct` with another C meets `uct` as it is (C = 0.4), 300 simulations a move, MATCHES matches with seats changed and paired seeds:
played to the end, and stopped after each number of STEPS. `z` is how many standard errors (over pairs) the mean is from a half.
z squared grows with the number of matches, so z squared by second of processor time says how much is learned in a given time.
"""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path
from statistics import fmean, stdev

import msgspec

from paidia.experiment.tuning.adjudicate import score_of
from paidia.experiment.tuning.evaluate import base_cells, cell_of, match_points, places, with_values
from paidia.experiment.tuning.plan import TunePlan, parse_plan


def series(plan: TunePlan, value: str, matches: int) -> tuple[list[float], float]:
    """The mean points of each pair of matches with a value, and seconds of processor time."""
    [base] = base_cells(plan, Path(), "plan")
    score = score_of(plan, match_points)
    cell = cell_of(base, with_values(base.contenders[0].definition, plan.make_space(), [value]), 1, 0)
    began = time.process_time()
    found = [score(cell, place.pair, place.seat) for place in places([cell], 0, matches)]
    seconds = time.process_time() - began
    return [fmean(found[i : i + len(cell.seats)]) for i in range(0, len(found), len(cell.seats))], seconds


def main() -> None:
    game, value, matches = sys.argv[1], sys.argv[2], int(sys.argv[3])
    space = f'[space]\nparameters = ["C"]\nvalues = {{ C = [{value}] }}\n'
    plain = parse_plan(f'agent = "uct"\ngames = ["{game}"]\nsims = 300\n{space}')
    print(f"| {game}, C = {value} | mean | z | seconds | z squared by second |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for steps in (0, *map(int, sys.argv[4:])):
        plan = msgspec.structs.replace(plain, adjudicate=steps)
        if steps:
            series(plan, value, 2)  # the lanes are built once in a process
        pairs, seconds = series(plan, value, matches)
        z = (0.5 - fmean(pairs)) / (stdev(pairs) / math.sqrt(len(pairs)))
        name = f"judged after {steps} moves" if steps else "played to the end"
        print(f"| {name} | {fmean(pairs):.3f} | {z:.2f} | {seconds:.1f} | {z * z / seconds:.2f} |", flush=True)


if __name__ == "__main__":
    main()
