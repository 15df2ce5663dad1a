"""What we measured for a paper, beside its plans: `measured.csv` has a line for each number, `runs.csv` one for each table.

Only what was measured is kept. The papers' numbers are in `printed.csv`; intervals and verdicts follow from the two, and are made
anew whenever something is told about them (`pages.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from paidia.core.csv_files import read_rows, write_rows
from paidia.core.errors import RuleError
from paidia.report.papers.claims import Judged, judge_claims, load_claims, own_values, printed_values
from paidia.report.papers.compare import MOST_USED, RATES, Comparison, beside, judged
from paidia.report.papers.printed import Printed, Table, table_order
from paidia.report.statistics import Interval

__all__ = ["NOTES", "Run", "measured_claims", "measured_numbers", "measured_runs", "save_measured"]

#: `note` is a verdict that does not follow from the number: "partial" or "other budget". `half`: of scores, which have no bounds.
#: `worth`: of averages, in matches of a plain sample; as many as there are if empty.
COLUMNS = ["table", "metric", "game", "agent", "opponent", "ours", "half", "matches", "worth", "note"]

NOTES = ("partial", "other budget")


class Run(msgspec.Struct, frozen=True):
    """How a table was measured: budget of a move in words, versions and signatures of paidia, and what was typed."""

    table: str
    budget: str
    version: str
    signature: str
    command: str


def save_measured(
    table: Table, comparisons: Sequence[Comparison], *, budget: str, builds: list[tuple[str, str, int]], command: str
) -> None:
    """Replace what the folder of a paper says about one of its tables.

    A rate under a budget of simulations is that budget, tells nothing and is left out.

    Args:
        table: The table that was measured.
        comparisons: What was measured.
        budget: Budget of a move, in words.
        builds: Versions and signatures that played.
        command: What was typed.
    """
    folder = table.file.parent
    rows = [row for row in read_rows(folder / "measured.csv", COLUMNS) if row["table"] != table.id]
    told = [each for each in comparisons if each.ours is not None]
    rows += [_row(each) for each in told if each.printed.metric not in RATES or "simulations" not in budget]
    write_rows(folder / "measured.csv", COLUMNS, sorted(rows, key=lambda row: table_order(row["table"])))
    runs = [run for run in measured_runs(folder).values() if run.table != table.id]
    if told:
        version = _once(version for version, _, _ in builds)
        signature = _once(signature for _, signature, _ in builds)
        runs.append(Run(table.id, budget, version, signature, command))
    runs.sort(key=lambda run: table_order(run.table))
    write_rows(folder / "runs.csv", list(Run.__struct_fields__), [msgspec.structs.asdict(run) for run in runs])


def _once(texts: Iterable[str]) -> str:
    """The words of all these, each once."""
    return " ".join(dict.fromkeys(word for text in texts for word in text.split()))


def _row(each: Comparison) -> dict[str, str]:
    printed, form = each.printed, each.form or each.ours
    assert form is not None
    return {
        "table": printed.table, "metric": printed.metric, "game": printed.game, "agent": printed.agent,
        "opponent": printed.opponent, "ours": _short(form.mean), "half": _short(form.half) if printed.metric == "score" else "",
        "matches": str(form.n), "worth": "" if form.worth is None else _short(form.worth),
        "note": each.verdict if each.verdict in NOTES else "",
    }  # fmt: skip


def _short(value: float) -> str:
    return format(round(value, 2), ".12g")


def measured_runs(folder: Path) -> dict[str, Run]:
    """How the tables of a paper were measured."""
    rows = read_rows(folder / "runs.csv", list(Run.__struct_fields__))
    return {row["table"]: msgspec.convert(row, Run) for row in rows}


def measured_numbers(tables: Sequence[Table]) -> dict[str, list[Comparison]]:
    """For each table of a paper all its printed numbers, with ours and a verdict where there is one, else "not run"."""
    folder = tables[0].file.parent
    own: dict[tuple[str, ...], tuple[Interval, str]] = {}
    for file in sorted(folder.glob("measured*.csv")):
        for line, row in enumerate(read_rows(file, COLUMNS), start=2):
            try:
                mean, half, n = float(row["ours"]), float(row["half"] or 0.0), int(row["matches"])
                worth = float(row["worth"]) if row["worth"] else None
            except ValueError as error:
                raise RuleError(f"not a measured number: {error}", file=str(file), line=line) from None
            key = (row["table"], row["metric"], row["game"], row["agent"], row["opponent"])
            own[key] = Interval(mean, mean - half, mean + half, n, worth), row["note"]
    printed = {table.id: table.printed() for table in tables}
    known = {_key(row) for rows in printed.values() for row in rows}
    if strange := [key for key in own if key not in known]:
        remedy = "`paidia reproduce TABLE --no-play --save` writes the table anew"
        raise RuleError(f"the paper prints no such number: {', '.join(strange[0])}; {remedy}", file=str(folder / "measured.csv"))
    return {id: judged([_comparison(row, own.get(_key(row))) for row in rows]) for id, rows in printed.items()}


def _key(row: Printed) -> tuple[str, ...]:
    return row.table, row.metric, row.game, row.agent, row.opponent


def _comparison(row: Printed, own: tuple[Interval, str] | None) -> Comparison:
    if own is None:
        return beside(row, None)
    form, note = own
    if row.metric.startswith(MOST_USED):
        word = "same" if abs(form.mean - row.value) <= 1e-9 * abs(row.value) else "other"
        return Comparison(row, form, Interval(row.value, row.value, row.value, row.runs), word)
    each = beside(row, form)
    return msgspec.structs.replace(each, verdict=note) if note in NOTES else each


def measured_claims(tables: Sequence[Table], numbers: dict[str, list[Comparison]] | None = None) -> list[tuple[Judged, Judged]]:
    """The claims of a paper on what was measured, each with the same claim on the printed numbers."""
    claims = load_claims(tables[0].file.parent)
    if not claims:
        return []
    numbers = measured_numbers(tables) if numbers is None else numbers
    own = own_values(each for table in numbers.values() for each in table)
    paper = printed_values([row for table in tables for row in table.printed()])
    return list(zip(judge_claims(claims, own, paper), judge_claims(claims, paper), strict=True))
