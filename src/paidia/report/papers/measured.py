"""What we measured for a paper, beside its plans: `measured.csv` for machines, `README.md` for people.

The file keeps what was measured; intervals and verdicts follow from it, and are made anew whenever a page is written.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from paidia.core.errors import BadInput
from paidia.report.estimates import MINIMUM, from_to
from paidia.report.papers.claims import Judged, Told, Values, judge_claims, load_claims, printed_values
from paidia.report.papers.compare import Comparison, beside, judged
from paidia.report.papers.printed import Printed, Table, table_order
from paidia.report.papers.verdicts import FEWEST
from paidia.report.statistics import Interval

__all__ = ["measured_claims", "measured_verdicts", "refresh", "results_page", "save_measured"]

COLUMNS = [
    "table", "metric", "game", "agent", "opponent", "paper", "paper_half", "ours", "ours_half", "matches",
    "budget", "verdict", "ours_low", "ours_high", "difference", "difference_low", "difference_high", "more",
    "version", "signature", "command",
]  # fmt: skip

#: Between ours and the paper's number, by verdict.
SIGNS = {"agree": "=", "same": "=", "disagree": "≠", "other": "≠", "partial": "~", "other budget": "·"}

_READING = f"""\
A cell reads "ours **=** the paper's": ours with its 95 % interval from-to (Wilson's, of scores Student's; none below
{MINIMUM} matches), the paper's as it prints it, **±**. The sign between them is a verdict about the table as a whole
(`report/papers/verdicts.py`): **=** the difference lies inside the margin, which is 10 points for a game, 4 for an average over
games and a fifth of a mean score (two one-sided tests of 5 %); **≠** there is a difference, by a test with a chance of 5 %
of any false alarm in the whole table (Holm); **?** undecided. Nothing is said about fewer than {FEWEST} matches. An average
over games that have not all been played is **~** partial; cells with another budget than the paper's get no verdict (**·**).
A rate depends on the machine and gets no verdict (|). The papers' sentences are tested in the same way, with a chance of 5 %
of a false word for all sentences of a paper. `paidia reproduce TABLE --save` measures a table; `make docs` writes this page
from `papers/*/measured*.csv`."""


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
            printed, form = each.printed, each.form or each.ours
            values = {
                "table": id, "metric": printed.metric, "game": printed.game, "agent": printed.agent,
                "opponent": printed.opponent, "paper": f"{printed.value:g}", "paper_half": f"{each.paper.half:.2f}",
                "ours": f"{form.mean:.2f}", "ours_half": f"{form.half:.2f}", "matches": str(form.n), "budget": budget,
                "verdict": each.verdict, "version": version, "signature": signature, "command": command,
            }  # fmt: skip
            rows.append(values)
    rows.sort(key=lambda row: table_order(row["table"]))
    _write(folder / "measured.csv", rows)
    refresh([table for table in tables if table.file.parent == folder])


def refresh(tables: list[Table]) -> None:
    """Make the verdicts in the folder of a paper anew from what was measured, and its page."""
    folder = tables[0].file.parent
    for file in sorted(folder.glob("measured*.csv")):
        _write(file, _fresh(_read(file), tables))
    rows = _fresh(_read(folder / "measured.csv"), tables)
    if rows:
        try:
            (folder / "README.md").write_text(_page(tables, rows), encoding="utf-8")
        except OSError as error:
            raise BadInput(f"cannot write the page of the paper: {error}") from None


def _write(file: Path, rows: list[dict[str, str]]) -> None:
    try:
        with file.open("w", newline="", encoding="utf-8") as out:
            writer = csv.DictWriter(out, COLUMNS, lineterminator="\n", restval="", extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise BadInput(f"cannot write what was measured: {error}") from None


def _fresh(rows: list[dict[str, str]], tables: list[Table]) -> list[dict[str, str]]:
    """Rows of `measured.csv` with intervals and verdicts that follow from their numbers."""
    printed = {_key(row.table, row): row for table in tables for row in table.printed()}
    found = []
    for id, group in groupby(rows, key=lambda row: row["table"]):
        own = list(group)
        compared = judged([_comparison(id, row, printed) for row in own])
        found += [_filled(row, each) for row, each in zip(own, compared, strict=True)]
    return found


def _key(table: str, row: Printed) -> tuple[str, str, str, str, str]:
    return table, row.metric, row.game, row.agent, row.opponent


def _comparison(id: str, row: dict[str, str], printed: dict[tuple[str, str, str, str, str], Printed]) -> Comparison:
    value, half, n = float(row["paper"]), float(row["paper_half"] or 0), int(row["matches"])
    read = Printed(id, row["metric"], row["game"], row["agent"], row["opponent"], value, half or None, 0)
    number = printed.get(_key(id, read), read)
    mean, width = float(row["ours"]), float(row["ours_half"])
    each = beside(number, Interval(mean, mean - width, mean + width, n))
    kept = row["verdict"] if row["verdict"] in ("partial", "other budget", "rate", "same", "other") else ""
    return Comparison(number, each.ours, each.paper, kept, form=each.form)


def _filled(row: dict[str, str], each: Comparison) -> dict[str, str]:
    told = {"verdict": each.verdict, "more": str(each.more) if each.more else ""}
    if each.ours is not None and each.form is not None and each.verdict not in ("rate", "same", "other"):
        ends = (each.ours.low, each.ours.high) if each.ours.n >= MINIMUM and math.isfinite(each.ours.half) else (None, None)
        told |= {"ours_low": _number(ends[0]), "ours_high": _number(ends[1])}
    if each.gap is not None:
        told |= {"difference": _number(each.gap.mean), "difference_low": _number(each.gap.low)}
        told |= {"difference_high": _number(each.gap.high)}
    return {**dict.fromkeys(COLUMNS, ""), **row, **told}


def _number(value: float | None) -> str:
    return "" if value is None or not math.isfinite(value) else f"{value:.2f}"


def measured_claims(tables: list[Table]) -> list[tuple[Judged, Judged]]:
    """The claims of a paper on what was measured, each with the same claim on the printed numbers."""
    folder = tables[0].file.parent
    claims = load_claims(folder)
    if not claims:
        return []
    rows = [row for file in sorted(folder.glob("measured*.csv")) for row in _read(file)]
    own: Values = {
        (row["table"], row["game"], row["agent"], row["opponent"]): Told(
            float(row["ours"]), int(row["matches"]), whole=row["verdict"] not in ("partial", "other budget")
        )
        for row in rows
        if row["metric"] == "win_pct"
    }
    paper = printed_values([row for table in tables for row in table.printed()])
    return list(zip(judge_claims(claims, own), judge_claims(claims, paper), strict=True))


def _claims(tables: list[Table]) -> list[str]:
    """The claims of a paper as a table, with a line that counts them."""
    found = measured_claims(tables)
    if not found:
        return []
    lines = [_line(["table", "the paper says", "its numbers", "ours", "verdict"]), "| --- | --- | --- | --- | --- |"]
    for ours, paper in found:
        doubt = "" if paper.verdict == "holds" else " (no proof)"
        lines.append(_line([ours.claim.table, ours.claim.text, paper.numbers + doubt, ours.numbers, f"**{ours.verdict}**"]))
    counts = _counted([ours.verdict for ours, _ in found])
    return [f'Claims: {counts}. "No proof": the paper\'s own numbers do not decide it by this test.', "\n".join(lines)]


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
    folders = {table.file.parent: [t for t in tables if t.file.parent == table.file.parent] for table in tables}
    rows = [
        row
        for folder, own in folders.items()
        for file in sorted(folder.glob("measured*.csv"))
        for row in _fresh(_read(file), own)
    ]
    if not rows:
        return "\n\n".join([*parts, "Nothing has been measured yet."]) + "\n"
    known = {table.id: table for table in tables}
    groups: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        groups.setdefault(row["table"], []).append(row)
    ids = sorted(groups, key=table_order)
    head = [_line(["table", "what", "budget", "cells"]), "| --- | --- | --- | --- |"]
    parts.append("\n".join([*head, *(_line(_contents(id, groups[id], known)) for id in ids)]))
    for own in folders.values():
        claims = _claims(own)
        if claims:
            parts += [f"## What is claimed: {_paper_name(own)}", *claims]
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
    parts = [f"# {_paper_name(tables)}", *_claims(tables)]
    known = {table.id: table for table in tables}
    for id, group in groupby(rows, key=lambda row: row["table"]):
        parts += _section(id, list(group), known)
    return "\n\n".join(parts) + "\n"


def _paper_name(tables: list[Table]) -> str:
    return re.sub(_PLACE, "", tables[0].paper.paper)


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
    sign = "\\|" if row["verdict"] == "rate" else SIGNS.get(row["verdict"], "?")
    half = float(row["paper_half"] or 0)
    paper = f"{float(row['paper']):.1f} ± {half:.1f}" if half else row["paper"]
    return f"{_ours(row)} **{sign}** {paper}"


def _ours(row: dict[str, str]) -> str:
    if row["verdict"] in ("rate", "same", "other"):
        return row["ours"]
    mean, low, high = (float(row[name] or "nan") for name in ("ours", "ours_low", "ours_high"))
    return from_to(Interval(mean, low, high, int(row["matches"])))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
