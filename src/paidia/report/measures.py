"""All measures of a store (`experiment/metrics.py`), side by side: whatever is in the list is in the table."""

from __future__ import annotations

from paidia.experiment.metrics import Metric, metrics
from paidia.report.summary import Group
from paidia.report.tables import Cell, Number, TextTable

__all__ = ["measures_table"]


def measures_table(groups: list[Group]) -> TextTable:
    """A row for each side of each group."""
    shown = [metric for per in ("match", "side") for metric in metrics(per) if metric.summary]
    rows: list[list[Cell]] = []
    for group in groups:
        for side, agent in enumerate((group.agent, group.opponent)):
            if agent is not None:
                values = [_value(group, metric, side) for metric in shown]
                rows.append([group.game, agent, group.budget, Number(group.n), *values])
    columns = ["game", "agent", "budget of the cell", ">matches", *(f">{metric.label}" for metric in shown)]
    note = "Means over the matches that have a measure; overruns and late moves: all of them; slowest: the longest of all."
    return TextTable("measures", "All measures", columns, rows, note=note)


def _value(group: Group, metric: Metric, side: int) -> Cell:
    if group.n and not group.having(metric.name, side):
        return ""
    number = group.mean(metric.name, side) if metric.summary == "mean" else group.sum(metric.name, side)
    return Number(number, ",.0f" if number == int(number) or abs(number) >= 1000 else ".4g")
