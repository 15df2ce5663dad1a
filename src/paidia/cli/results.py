"""The results of a store in the terminal, as `report`, `run` and `reproduce` show them."""

from __future__ import annotations

from paidia.cli.output import note, say, table
from paidia.experiment.gauntlet.trial import Trial
from paidia.experiment.run.runner import RunResult
from paidia.report.arcade import short_arcade
from paidia.report.ranking import ranking_tables
from paidia.report.summary import Group
from paidia.report.text import short_rows

__all__ = ["end_run", "show_results"]

#: Rows of one table; a report has them all.
MOST_ROWS = 100


def show_results(groups: list[Group], title: str) -> None:
    """Board games with their points, video games with wins and scores, and the ranking where several agents played the latter."""
    boards = [group for group in groups if not group.video]
    video = [group for group in groups if group.video and group.n]
    if boards:
        _show(title, *short_rows(boards))
    if video:
        budgets = {group.budget for group in video}
        per_tick = f", {budgets.pop()} per tick" if len(budgets) == 1 else ""
        _show(f"{title}{', video games' if boards else ''}{per_tick}", *short_arcade(video))
        for each in ranking_tables(video)[:1]:
            table(each.title, each.columns, each.rows)


def end_run(result: RunResult | Trial) -> None:
    """Say what went wrong with a run as a whole, and exit with the code for it; return if nothing did."""
    for cell, why in result.faults.items():
        note(f"no match of {cell} came to a regular end: {why}")
    if result.reason == "interrupted":
        raise SystemExit(130)
    if result.vain:
        note("paidia: all matches failed")
        raise SystemExit(1)


def _show(title: str, columns: list[str], rows: list[list[str]]) -> None:
    table(title, columns, rows[:MOST_ROWS])
    if len(rows) > MOST_ROWS:
        say(f"... and {len(rows) - MOST_ROWS:,} more rows: `paidia report STORE -o DIR` writes them all")
