"""What we measured for a paper, beside its plans: `measured.csv` for machines, `README.md` for people."""

from __future__ import annotations

import csv
import re
from itertools import groupby
from pathlib import Path

from paidia.report.compare import Comparison
from paidia.report.papers import Table, table_order

__all__ = ["measured_verdicts", "results_page", "save_measured"]

COLUMNS = [
    "table", "metric", "game", "agent", "opponent", "paper", "paper_half", "ours", "ours_half", "matches",
    "budget", "verdict", "version", "signature", "command",
]  # fmt: skip

#: Between ours and the paper's number, by verdict.
SIGNS = {"agree": "=", "same": "=", "disagree": "≠", "other": "≠", "partial": "~", "other budget": "·"}

_READING = """\
A cell reads "ours = paper's", each with its 95 % interval: **=** they agree, **≠** they do not (the interval of the difference
excludes 0), **?** undecided, more matches would tell. They agree when the interval of the difference includes 0 and ours is as
narrow as the paper's, or 5 points. An average over games that have not all been played is **~** partial; cells with another
budget than the paper's get no verdict (**·**). A rate depends on the machine and gets no verdict (|). `paidia reproduce TABLE
--save` measures a table; `python tools/write_results.py` writes this page from `papers/*/measured*.csv`."""


def save_measured(
    tables: list[Table],
    id: str,
    comparisons: list[Comparison],
    *,
    budget: str,
    builds: list[tuple[str, str, int]],
    command: str,
) -> None:
    """Replace what the folder of a paper says about one of its tables, and write its page anew.

    Args:
        tables: All tables of the paper.
        id: The table that was measured.
        comparisons: What was measured.
        budget: Budget of a move, in words.
        builds: Versions and signatures that played.
        command: What was typed.
    """
    folder = next(table for table in tables if table.id == id).file.parent
    rows = [row for row in _read(folder / "measured.csv") if row["table"] != id]
    version = " ".join(dict.fromkeys(version for version, _, _ in builds))
    signature = " ".join(dict.fromkeys(signature for _, signature, _ in builds))
    for each in comparisons:
        if each.ours is not None:
            printed = each.printed
            values = (
                id, printed.metric, printed.game, printed.agent, printed.opponent, f"{printed.value:g}",
                f"{each.paper.half:.2f}", f"{each.ours.mean:.2f}", f"{each.ours.half:.2f}", str(each.ours.n),
                budget, each.verdict, version, signature, command,
            )  # fmt: skip
            rows.append(dict(zip(COLUMNS, values, strict=True)))
    rows.sort(key=lambda row: table_order(row["table"]))
    with (folder / "measured.csv").open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    (folder / "README.md").write_text(_page(tables, rows), encoding="utf-8")


def measured_verdicts(folder: Path) -> dict[str, str]:
    """What has been measured for each table of a paper, in words."""
    verdicts: dict[str, list[str]] = {}
    for row in _read(folder / "measured.csv"):
        verdicts.setdefault(row["table"], []).append(row["verdict"])
    return {id: _counted(own) for id, own in verdicts.items()}


def _counted(verdicts: list[str]) -> str:
    return ", ".join(f"{verdict}: {verdicts.count(verdict)}" for verdict in dict.fromkeys(verdicts))


def _read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def results_page(tables: list[Table]) -> str:
    """Everything that has been measured for the papers, on one page: a list of the tables, then each of them cell by cell."""
    parts = ["# Results: the papers' tables, and ours beside them", _READING]
    folders = {table.file.parent: None for table in tables}
    rows = [row for folder in folders for file in sorted(folder.glob("measured*.csv")) for row in _read(file)]
    if not rows:
        return "\n\n".join([*parts, "Nothing has been measured yet."]) + "\n"
    known = {table.id: table for table in tables}
    groups: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        groups.setdefault(row["table"], []).append(row)
    ids = sorted(groups, key=table_order)
    head = [_line(["table", "what", "budget", "cells"]), "| --- | --- | --- | --- |"]
    parts.append("\n".join([*head, *(_line(_contents(id, groups[id], known)) for id in ids)]))
    for id in ids:
        parts += _section(id, groups[id], known)
    return "\n\n".join(parts) + "\n"


def _contents(id: str, rows: list[dict[str, str]], known: dict[str, Table]) -> list[str]:
    title = known[id].paper.title if id in known else ""
    budgets = ", ".join(dict.fromkeys(row["budget"] for row in rows))
    return [id, title, budgets, _counted([row["verdict"] for row in rows])]


_PLACE = r", (table|figure|section|chapter) [\w.]+$"  # what of a paper a plan is about


def _page(tables: list[Table], rows: list[dict[str, str]]) -> str:
    """The page of a paper: its tables in order, each with the command that made it."""
    parts = [f"# {re.sub(_PLACE, '', tables[0].paper.paper)}"]
    known = {table.id: table for table in tables}
    for id, group in groupby(rows, key=lambda row: row["table"]):
        parts += _section(id, list(group), known)
    return "\n\n".join(parts) + "\n"


def _section(id: str, rows: list[dict[str, str]], known: dict[str, Table]) -> list[str]:
    """One table: where it comes from, then for each metric its cells, games by agents."""
    paper = known[id].paper if id in known else None
    commands = " and ".join(f"`{command}`" for command in dict.fromkeys(row["command"] for row in rows))
    build = " ".join(dict.fromkeys(f"{row['version']} {row['signature']}".strip() for row in rows))
    budgets = ", ".join(dict.fromkeys(row["budget"] for row in rows))
    head = (
        f"## {id}: {paper.title if paper else ''}\n\n"
        f"In the paper: {paper.settings if paper else ''}.\n"
        f"Made by {commands} with paidia {build}; {budgets} per move. Cells: {_counted([row['verdict'] for row in rows])}."
    )
    # A rate under a budget of simulations is that budget, and tells nothing.
    told = [row for row in rows if row["verdict"] != "rate" or "simulations" not in row["budget"]]
    metrics = list(dict.fromkeys(row["metric"] for row in told))
    corners = metrics if len(metrics) > 1 else ["game"]
    grids = zip(corners, ([row for row in told if row["metric"] == metric] for metric in metrics), strict=True)
    return [head, *(_grid(corner, own) for corner, own in grids)]


def _grid(corner: str, rows: list[dict[str, str]]) -> str:
    """Games down, agents (and opponents) across."""
    cells = {(row["game"], row["agent"], row["opponent"]): row for row in rows}
    games = list(dict.fromkeys(row["game"] for row in rows))
    columns = list(dict.fromkeys((row["agent"], row["opponent"]) for row in rows))
    names = [f"{agent} v {opponent}" if opponent else agent for agent, opponent in columns]
    lines = [_line([corner, *names, "matches"]), f"| --- |{' ---: |' * (len(columns) + 1)}"]
    for game in games:
        own = [cells.get((game, *column)) for column in columns]
        matches = dict.fromkeys(row["matches"] for row in own if row is not None)
        lines.append(_line([game, *("" if row is None else _cell(row) for row in own), " / ".join(matches)]))
    return "\n".join(lines)


def _cell(row: dict[str, str]) -> str:
    sign = "\\|" if row["verdict"] == "rate" else SIGNS.get(row["verdict"].split(",")[0], "?")
    return f"{_with_half(row, 'ours')} **{sign}** {_with_half(row, 'paper')}"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _with_half(row: dict[str, str], name: str) -> str:
    half = float(row[f"{name}_half"])
    return f"{float(row[name]):.1f} ± {half:.1f}" if half else row[name]
