"""How much of table 4 of the paper on self-adaptive search is chance? The most used values of every second of our runs beside
those of the others: what two halves of the same runs disagree in, two programs must disagree in, too.

    paidia reproduce s003-t4 --scale 0.06 --store halves.sqlite
    python benchmarks/sa_mcts/most_used.py halves.sqlite
"""

from __future__ import annotations

import sys
from pathlib import Path

from paidia.experiment.store import Store
from paidia.experiment.trajectories import Condensed, add_up
from paidia.report.papers.compare import MOST_USED
from paidia.report.papers.printed import find_table
from paidia.report.summary import group_cells, summarise

PAPERS = Path(__file__).resolve().parents[2] / "papers"


def most_used(runs: list[Condensed]) -> dict[str, str]:
    """The values of the combination that was used most."""
    whole = add_up(runs)
    assert whole is not None and whole.combinations
    return dict(zip(whole.parameters, whole.combinations[0][0], strict=True))


def main(store: str) -> None:
    """Print the number of entries in which halves, and each half and the paper, agree."""
    printed = {
        (row.metric.removeprefix(MOST_USED), row.game, row.agent): row.value for row in find_table(PAPERS, "s003-t4").printed()
    }
    same: dict[tuple[str, str], int] = {}
    entries: dict[str, int] = {}
    with Store(Path(store)) as found:
        for group in group_cells(summarise(found)):
            runs = [run for key in group.cells for run in found.trajectories(key, 0)]
            if len(runs) < 2:
                continue
            halves = [most_used(runs[::2]), most_used(runs[1::2])]
            for name in halves[0]:
                paper = printed[name, group.game, group.agent]
                entries[name] = entries.get(name, 0) + 1
                pairs = {
                    "two halves": halves[0][name] == halves[1][name],
                    "one half and the paper": float(halves[0][name]) == paper,
                    "the other half and the paper": float(halves[1][name]) == paper,
                }
                for words, alike in pairs.items():
                    same[words, name] = same.get((words, name), 0) + alike
    for (words, name), number in same.items():
        print(f"{name}: {words} agree in {number} of {entries[name]} entries")


if __name__ == "__main__":
    main(*sys.argv[1:])
