"""Writes papers/s003/fig-own.toml: table 5 of the paper on self-adaptive search with OUR most visited values, those that
`paidia reproduce s003-t4 --save` kept.

    python tools/write_validation.py
"""

from __future__ import annotations

from pathlib import Path

from paidia.report.papers.compare import MOST_USED
from paidia.report.papers.measured import measured_numbers
from paidia.report.papers.printed import tables

ROOT = Path(__file__).resolve().parent.parent
NAMES = {"SA-MCTS_NMC": "instance_NMC", "SA-MCTS_EA": "instance_EA", "SA-MCTS_NEA": "instance_NEA"}

HEAD = """\
# Written by tools/write_validation.py from measured.csv.
name = "s003-fig-own"
games = [
{games}
]
agents = [
    {{ id = "sample-mcts", name = "sampleMCTS" }},
{agents}
]
# Simulations per tick as in table 5: those that the paper prints for the agent whose values they are.
budget_table = {{ file = "budgets.csv", agent = "agent" }}
matches = 100
seed = 0
max_steps = 2000
levels = ["0", "1", "2", "3", "4"]

[paper]
table = "s003-fig-own"
title = "Wins of the sample agent with the parameters that our own tuners visited most"
paper = "{paper}"
settings = "as table 5a, which has the paper's most visited values"
clock = 0.04
"""


def main() -> None:
    """Write the plan."""
    own = [table for table in tables(ROOT / "papers") if table.file.parent.name == "s003"]
    values: dict[tuple[str, str], dict[str, float]] = {}
    for each in measured_numbers(own)["s003-t4"]:
        if each.ours is not None:
            parameter = each.printed.metric.removeprefix(MOST_USED)
            values.setdefault((each.printed.agent, each.printed.game), {})[parameter] = each.ours.mean
    if not values:
        raise SystemExit("nothing has been measured for s003-t4: `paidia reproduce s003-t4 --save` comes first")
    groups: dict[tuple[str, tuple[tuple[str, float], ...]], list[str]] = {}
    for (agent, game), found in values.items():
        groups.setdefault((NAMES[agent], tuple(found.items())), []).append(game)
    agents = []
    for (name, found), games in sorted(groups.items()):
        settings = ", ".join(f"{parameter} = {value:g}" for parameter, value in found)
        listed = ", ".join(f'"{game}"' for game in games)
        agents.append(f'    {{ id = "sample-mcts", name = "{name}", settings = {{ {settings} }}, games = [{listed}] }},')
    games = "\n".join(f'    "{game}",' for game in dict.fromkeys(game for _, game in values))
    file = ROOT / "papers" / "s003" / "fig-own.toml"
    file.write_text(
        HEAD.format(paper=own[0].paper.paper.rpartition(", table")[0] + ", table 5", games=games, agents="\n".join(agents)),
        encoding="utf-8",
    )
    print(f"written: {file.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
