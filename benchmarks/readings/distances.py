"""How far each agent of an exported experiment is from a printed column, and whether two of them can be told apart.

python benchmarks/readings/distances.py MATCHES.csv TABLE COLUMN
"""

from __future__ import annotations

import csv
import random
import sys
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from statistics import fmean

PRINTED = Path(__file__).parents[2] / "papers" / "s001" / "printed.csv"
SAMPLES = 10_000


def main(matches: str, table: str, column: str) -> None:
    with PRINTED.open(encoding="utf-8") as lines:
        printed = {
            row["game"]: float(row["value"])
            for row in csv.DictReader(lines)
            if (row["table"], row["agent"], row["metric"]) == (table, column, "win_pct")
        }
    won: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    with Path(matches).open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            won[row["game"], row["agent"]].append(float(row["points"]))
    games = sorted({game for game, _ in won})
    agents = list(dict.fromkeys(agent for _, agent in won))
    print(f"{'game':24} {'printed':>8}", *(f"{agent:>12}" for agent in agents))
    for game in games:
        cells = (f"{100 * fmean(won[game, agent]):12.1f}" for agent in agents)
        print(f"{game:24} {printed[game]:8.1f}", *cells, f"  {len(won[game, agents[0]])} runs")
    away = {agent: [abs(100 * fmean(won[game, agent]) - printed[game]) for game in games] for agent in agents}
    print(f"{'mean distance':33}", *(f"{fmean(away[agent]):12.2f}" for agent in agents))
    rng = random.Random(0)
    draws = [[rng.randrange(len(games)) for _ in games] for _ in range(SAMPLES)]
    for one, other in combinations(agents, 2):
        gaps = [a - b for a, b in zip(away[one], away[other], strict=True)]
        means = sorted(fmean(gaps[i] for i in draw) for draw in draws)
        low, high = means[int(0.025 * SAMPLES)], means[int(0.975 * SAMPLES)]
        told = "told apart" if low > 0 or high < 0 else "not told apart"
        print(f"{one} - {other}: {fmean(gaps):+.2f} ({low:+.2f} to {high:+.2f}): {told}")


if __name__ == "__main__":
    main(*sys.argv[1:4])
