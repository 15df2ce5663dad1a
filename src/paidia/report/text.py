"""Comparisons and summaries as rows of text, shared by all faces: terminal, CSV, LaTeX, HTML."""

from __future__ import annotations

from paidia.report.compare import RATES, Comparison
from paidia.report.statistics import Interval
from paidia.report.summary import Group

__all__ = ["comparison_rows", "percent", "summary_rows"]


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
    if each.ours is None:
        ours, n = "", ""
    elif printed.metric in RATES:
        ours, n = f"{each.ours.mean:,.1f}", f"{each.ours.n:,}"
        verdict = f"{each.ours.mean / printed.value:.2f} x" if printed.value else ""
    else:
        ours, n = percent(each.ours), f"{each.ours.n:,}"
    half = each.paper.half
    paper = (
        f"{printed.value:g}" if printed.metric in RATES or not half else f"{printed.value:.1f} ± {half:.1f}"
    )
    more = f"{each.more:,}" if each.more else ""
    return [printed.game, printed.agent, printed.opponent, paper, ours, n, verdict, more]


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
        f"{group.moves / group.n:.1f}" if group.n else "",
        f"{group.mean_rate:,.0f}",
        f"{group.failed + group.early:,}",
    ]
