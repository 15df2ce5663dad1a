"""Comparisons and summaries as rows of text, shared by all faces: terminal, CSV, LaTeX, HTML."""

from __future__ import annotations

from paidia.report.compare import MOST_USED, RATES, Comparison
from paidia.report.statistics import Interval
from paidia.report.summary import Group

__all__ = ["comparison_rows", "percent", "short_comparison", "short_rows", "summary_rows"]


def percent(interval: Interval) -> str:
    """E.g. "54.2 ± 4.4"."""
    return f"{interval.mean:.1f} ± {interval.half:.1f}"


def comparison_rows(comparisons: list[Comparison]) -> tuple[list[str], list[list[str]]]:
    """Columns (numbers marked by >) and rows."""
    columns = ["game", "agent", "opponent", ">paper", ">ours", ">matches", "verdict", ">more matches"]
    return columns, [_row(each) for each in comparisons]


def _row(each: Comparison) -> list[str]:
    printed = each.printed
    verdict = each.verdict
    agent = printed.agent
    if printed.metric.startswith(MOST_USED):
        agent = f"{agent}: {printed.metric.removeprefix(MOST_USED)}"
        ours, n = (f"{each.ours.mean:g}", f"{each.ours.n:,}") if each.ours else ("", "")
    elif each.ours is None:
        ours, n = "", ""
    elif printed.metric in RATES:
        ours, n = f"{each.ours.mean:,.1f}", f"{each.ours.n:,}"
        verdict = f"{each.ours.mean / printed.value:.2f} x" if printed.value and verdict == "rate" else verdict
    else:
        ours, n = percent(each.ours), f"{each.ours.n:,}"
    half = each.paper.half
    paper = f"{printed.value:g}" if printed.metric in RATES or not half else f"{printed.value:.1f} ± {half:.1f}"
    more = f"{each.more:,}" if each.more else ""
    return [printed.game, agent, printed.opponent, paper, ours, n, verdict, more]


def summary_rows(groups: list[Group]) -> tuple[list[str], list[list[str]]]:
    """Every group with its points in percent."""
    columns = [
        "game",
        "agent",
        "opponent",
        "budget",
        ">matches",
        ">wins",
        ">draws",
        ">losses",
        ">points %",
        ">paired %",
        ">first seat %",
        ">moves",
        ">sims/s",
        ">failed",
    ]
    return columns, [_summary(group) for group in groups]


def _summary(group: Group) -> list[str]:
    first = group.seats[0]
    return [
        group.game,
        group.agent,
        group.opponent or "",
        group.budget,
        f"{group.n:,}",
        f"{group.wins:,}",
        f"{group.draws:,}",
        f"{group.losses:,}",
        percent(group.points.scaled(100.0)) if group.n else "",
        percent(group.interval("paired").scaled(100.0)) if group.pairs[0] > 1 else "",
        f"{100.0 * first[1] / first[0]:.1f}" if first[0] else "",
        f"{group.mean('moves'):.1f}" if group.n else "",
        f"{group.mean('sims_per_second'):,.0f}",
        f"{group.failed + group.early:,}",
    ]


def short_rows(groups: list[Group]) -> tuple[list[str], list[list[str]]]:
    """What fits on a terminal."""
    columns, rows = summary_rows(groups)
    kept = [columns.index(name) for name in ("game", "agent", "opponent", "budget", ">matches", ">points %", ">failed")]
    return [columns[i] for i in kept], [[row[i] for i in kept] for row in rows]


def short_comparison(comparisons: list[Comparison]) -> tuple[list[str], list[list[str]], str]:
    """A comparison that fits on a terminal: columns, rows, and what all rows have in common."""
    columns, rows = comparison_rows(comparisons)
    rows = [[*row[:6], f"{row[6]}, {row[7]} more" if row[7] else row[6]] for row in rows]
    kept = [i for i in range(7) if i not in (1, 2) or len({row[i] for row in rows}) > 1]
    common = " against ".join(rows[0][i] for i in (1, 2) if i not in kept and rows[0][i]) if rows else ""
    return [columns[i] for i in kept], [[row[i] for i in kept] for row in rows], common
