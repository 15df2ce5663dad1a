"""Our cells beside the paper's.

    disagree    the 95 % interval of the difference excludes 0
    agree       it does not, and our interval is as narrow as the paper's (or 5 points): we would have seen
    a difference that matters
    undecided   our interval is still too wide; `more` matches would make it narrow enough

Rates (simulations per second or tick) depend on the machine, so they get no verdict: ours is shown as a
share of the paper's.
"""

from __future__ import annotations

import math

import msgspec

from paidia.report.papers import Printed
from paidia.report.statistics import (
    Interval,
    difference,
    matches_for,
    points_interval,
    pool,
    sample,
    significant,
    wilson,
)
from paidia.report.summary import Group

__all__ = ["Comparison", "compare", "count_verdicts"]

ALL = "all-others"  # opponent of a round robin
AVERAGE = "average"  # game of an average row

#: An interval of 5 points is narrow enough where the paper's is narrower.
NARROW = 5.0

RATES = {"sims_per_second", "sims_per_tick"}


class Comparison(msgspec.Struct, frozen=True):
    """One printed number with ours; `verdict` is "agree", "disagree", "undecided", "not run" or "rate"."""

    printed: Printed
    ours: Interval | None
    paper: Interval
    verdict: str
    more: int = 0


def compare(printed: list[Printed], groups: list[Group]) -> list[Comparison]:
    """Every printed number with what the store has for it."""
    return [_compare(row, _matching(row, groups)) for row in printed]


def count_verdicts(comparisons: list[Comparison]) -> dict[str, int]:
    """How many cells have each verdict."""
    counts: dict[str, int] = {}
    for each in comparisons:
        counts[each.verdict] = counts.get(each.verdict, 0) + 1
    return counts


def _compare(printed: Printed, parts: list[tuple[Group, bool]]) -> Comparison:
    paper = _paper_interval(printed)
    ours = _own(printed.metric, parts)
    if ours is None:
        return Comparison(printed, None, paper, "not run")
    if printed.metric in RATES:
        return Comparison(printed, ours, paper, "rate")
    if ours.n > 1 and significant(ours, paper):
        return Comparison(printed, ours, paper, "disagree")
    wanted = max(NARROW, paper.half) if printed.metric == "win_pct" else paper.half
    if ours.n > 1 and (ours.half <= wanted or not wanted):  # without an interval in the paper there is nothing to reach
        return Comparison(printed, ours, paper, "agree")
    return Comparison(printed, ours, paper, "undecided", matches_for(ours, wanted))


def _matching(printed: Printed, groups: list[Group]) -> list[tuple[Group, bool]]:
    """The groups behind a printed number, and whether they are seen from the other side."""
    found = []
    for group in groups:
        if printed.game not in (AVERAGE, group.game):
            continue
        if printed.opponent == ALL:
            if group.agent == printed.agent:
                found.append((group, False))
            elif group.opponent == printed.agent:
                found.append((group, True))
        elif printed.agent == group.agent and printed.opponent in ("", group.opponent or ""):
            found.append((group, False))
        elif printed.agent == group.opponent and printed.opponent in ("", group.agent):
            found.append((group, True))
    return found


def _own(metric: str, parts: list[tuple[Group, bool]]) -> Interval | None:
    if not any(group.n for group, _ in parts):
        return None
    if metric == "win_pct":
        # seen from the other side, points p are 1 - p: the sum of squares of (1 - p) is n - 2 sum + squares
        sums = [
            (g.n, g.n - g.total, g.n - 2 * g.total + g.squares) if turned else (g.n, g.total, g.squares) for g, turned in parts
        ]
        return points_interval(*pool(sums)).scaled(100.0)
    if metric in RATES:
        n = sum(group.n for group, _ in parts)
        name = "rates" if metric == "sims_per_second" else "medians"
        mean = sum(getattr(group, name)[turned] for group, turned in parts) / n
        return Interval(mean, mean, mean, n)
    if metric == "score":
        scored = [group.scores for group, _ in parts if group.scores[0]]
        return sample(*pool(scored)) if scored else None
    return None


def _paper_interval(printed: Printed) -> Interval:
    """The paper's interval; where it prints none, or one of no width, the binomial one (Wilson's) of its
    number of runs.
    """
    value = printed.value
    if printed.half:
        return Interval(value, value - printed.half, value + printed.half, printed.runs)
    if printed.metric == "win_pct" and printed.runs:
        return wilson(printed.runs, printed.runs * value / 100.0).scaled(100.0)
    return Interval(value, value, value, printed.runs)


def gap(comparison: Comparison) -> Interval | None:
    """Ours minus the paper's."""
    if comparison.ours is None or not math.isfinite(comparison.ours.half):
        return None
    return difference(comparison.ours, comparison.paper)
