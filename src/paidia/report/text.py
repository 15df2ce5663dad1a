"""Comparisons and summaries as rows of cells, shared by all faces: terminal, CSV, LaTeX, HTML."""

from __future__ import annotations

import math

from paidia.report.estimates import MINIMUM
from paidia.report.papers.compare import MOST_USED, RATES, Comparison
from paidia.report.statistics import Interval
from paidia.report.summary import Group
from paidia.report.tables import Cell, Estimate, Number, cell_text

__all__ = ["comparison_rows", "paper_form", "percent", "short_comparison", "short_rows", "summary_rows"]


def percent(interval: Interval) -> Estimate:
    """A share of points in percent, of an interval in [0, 1]."""
    return Estimate(interval.scaled(100.0))


def paper_form(interval: Interval) -> str:
    """The papers' own form, for columns that say so: "54.2 ± 4.4"."""
    if not math.isfinite(interval.half) or not interval.half:
        return f"{interval.mean:.1f}"
    return f"{interval.mean:.1f} ± {interval.half:.1f}"


COMPARISON = [
    "game", "agent", "opponent", ">paper (its own ±)", ">ours", ">ours in the paper's form", ">difference", ">matches", "verdict",
    ">more matches",
]  # fmt: skip


def comparison_rows(comparisons: list[Comparison]) -> tuple[list[str], list[list[Cell]]]:
    """Columns (numbers marked by >) and rows."""
    return list(COMPARISON), [_row(each) for each in comparisons]


def _row(each: Comparison) -> list[Cell]:
    printed = each.printed
    verdict, agent = each.verdict, printed.agent
    ours: Cell = ""
    if printed.metric.startswith(MOST_USED):
        agent = f"{agent}: {printed.metric.removeprefix(MOST_USED)}"
        ours = Number(each.ours.mean, "g") if each.ours else ""
    elif each.ours is not None and printed.metric in RATES:
        ours = Number(each.ours.mean, ",.1f")
        verdict = f"{each.ours.mean / printed.value:.2f} x" if printed.value and verdict == "rate" else verdict
    elif each.ours is not None:
        ours = Estimate(each.ours)
    half = each.paper.half
    paper = f"{printed.value:g}" if printed.metric in RATES or not half else f"{printed.value:.1f} ± {half:.1f}"
    form = paper_form(each.form) if each.form is not None and printed.metric not in RATES and each.form.n >= MINIMUM else ""
    gap: Cell = Estimate(each.gap, sign=True) if each.gap is not None else ""
    n: Cell = Number(each.ours.n) if each.ours else ""
    more: Cell = Number(each.more) if each.more else ""
    return [printed.game, agent, printed.opponent, paper, ours, form, gap, n, verdict, more]


SUMMARY = [
    "game", "agent", "opponent", "budget", ">matches", ">wins", ">draws", ">losses", ">points %", ">points % by pairs",
    ">first seat %", ">moves", ">sims/s", ">failed",
]  # fmt: skip


def summary_rows(groups: list[Group]) -> tuple[list[str], list[list[Cell]]]:
    """Every group with its points in percent."""
    return list(SUMMARY), [_summary(group) for group in groups]


def _summary(group: Group) -> list[Cell]:
    first = group.seats[0]
    return [
        group.game,
        group.agent,
        group.opponent or "",
        group.budget,
        Number(group.n),
        Number(group.wins),
        Number(group.draws),
        Number(group.losses),
        percent(group.points) if group.n else "",
        percent(group.paired) if group.pairs[0] >= MINIMUM else "",
        Number(100.0 * first[1] / first[0], ".1f") if first[0] else "",
        Number(group.mean("moves"), ".1f") if group.n else "",
        Number(group.mean("sims_per_second")) if group.having("sims_per_second") or not group.n else "",
        Number(group.failed + group.early),
    ]


def short_rows(groups: list[Group]) -> tuple[list[str], list[list[str]]]:
    """What fits on a terminal: without columns that say nothing."""
    columns, rows = summary_rows(groups)
    wanted = ["game", "agent", "opponent", "budget", ">matches", ">points %", ">failed"]
    if len({group.budget for group in groups}) == 1:
        wanted.remove("budget")
    if not any(group.failed + group.early for group in groups):
        wanted.remove(">failed")
    kept = [columns.index(name) for name in wanted]
    return [columns[i] for i in kept], [[cell_text(row[i]) for i in kept] for row in rows]


def short_comparison(comparisons: list[Comparison]) -> tuple[list[str], list[list[str]], str]:
    """A comparison that fits on a terminal: columns, rows, and what all rows have in common."""
    _, rows = comparison_rows(comparisons)
    places = [COMPARISON.index(name) for name in ("game", "agent", "opponent", ">paper (its own ±)", ">ours", ">matches")]
    texts = [[*(cell_text(row[i]) for i in places), _verdict(row)] for row in rows]
    columns = ["game", "agent", "opponent", ">paper", ">ours", ">matches", "verdict"]
    kept = [i for i in range(7) if i not in (1, 2) or len({row[i] for row in texts}) > 1]
    common = " against ".join(texts[0][i] for i in (1, 2) if i not in kept and texts[0][i]) if texts else ""
    return [columns[i] for i in kept], [[row[i] for i in kept] for row in texts], common


def _verdict(row: list[Cell]) -> str:
    word, more = cell_text(row[COMPARISON.index("verdict")]), cell_text(row[COMPARISON.index(">more matches")])
    return f"{word}, {more} more" if more else word
