"""Our cells beside the paper's.

    disagree    the 95 % interval of the difference excludes 0
    agree       it does not, and our interval is as narrow as the paper's (or 5 points): we would have seen
    a difference that matters
    undecided   our interval is still too wide; `more` matches would make it narrow enough

An average row is "partial" as long as some of its games have not been played. Rates (simulations per second or tick) depend on
the machine, so they get no verdict: ours is shown as a share of the paper's. The value of a search parameter in the combination
that an agent used most is the "same" or "other".
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec

from paidia.experiment.plan import PaperTable
from paidia.report.papers import Printed
from paidia.report.statistics import (
    Interval,
    Z,
    difference,
    matches_for,
    points_interval,
    pool,
    sample,
    significant,
    student,
    wilson,
)
from paidia.report.summary import Group
from paidia.report.usage import Usage

__all__ = ["Comparison", "compare", "count_verdicts"]

ALL = "all-others"  # opponent of a round robin
AVERAGE = "average"  # game of an average row

#: An interval of 5 points is narrow enough where the paper's is narrower.
NARROW = 5.0

#: Fewer runs say little about a mean score: it may be anything, and its spread is a guess as well.
FEW = 20

RATES = {"sims_per_second", "sims_per_tick"}

#: Metrics that begin so are values of search parameters: "most_used_K".
MOST_USED = "most_used_"


class Comparison(msgspec.Struct, frozen=True):
    """One printed number with ours; `verdict` is "agree", "disagree", "undecided", "not run", "partial", "rate", "same" or
    "other".
    """

    printed: Printed
    ours: Interval | None
    paper: Interval
    verdict: str
    more: int = 0


def compare(
    printed: list[Printed],
    groups: list[Group],
    *,
    paper: PaperTable | None = None,
    usage: Mapping[tuple[str, str], Usage] | None = None,
) -> list[Comparison]:
    """Every printed number with what the store has for it.

    Args:
        printed: The numbers of a table.
        groups: What the store has, levels taken together.
        paper: How the paper computes its intervals and rates.
        usage: What adaptive agents did with their search parameters, by game and agent.
    """
    found = []
    for row in printed:
        if row.metric.startswith(MOST_USED):
            found.append(_same_value(row, (usage or {}).get((row.game, row.agent))))
            continue
        parts = _matching(row, groups)
        compared = _compare(row, parts, paper)
        if row.game == AVERAGE and compared.ours is not None and _games_of(row, printed) - {g.game for g, _ in parts if g.n}:
            compared = msgspec.structs.replace(compared, verdict="partial", more=0)
        found.append(compared)
    return found


def _games_of(average: Printed, printed: list[Printed]) -> set[str]:
    """The games that an average row is about."""
    own = (average.metric, average.agent, average.opponent)
    return {row.game for row in printed if row.game != AVERAGE and (row.metric, row.agent, row.opponent) == own}


def _same_value(printed: Printed, usage: Usage | None) -> Comparison:
    """The value of a parameter in the combination used most; values are exact, so there is no interval."""
    paper = Interval(printed.value, printed.value, printed.value, printed.runs)
    used = usage.most_used().get(printed.metric.removeprefix(MOST_USED)) if usage else None
    if usage is None or used is None:
        return Comparison(printed, None, paper, "not run")
    ours = float(used) if _is_number(used) else math.nan
    same = math.isclose(ours, printed.value, rel_tol=1e-9)
    return Comparison(printed, Interval(ours, ours, ours, usage.runs), paper, "same" if same else "other")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def count_verdicts(comparisons: list[Comparison]) -> dict[str, int]:
    """How many cells have each verdict."""
    counts: dict[str, int] = {}
    for each in comparisons:
        counts[each.verdict] = counts.get(each.verdict, 0) + 1
    return counts


def _compare(printed: Printed, parts: list[tuple[Group, bool]], table: PaperTable | None) -> Comparison:
    theirs = _paper_interval(printed)
    ours = _own(printed.metric, parts, table)
    if ours is None:
        return Comparison(printed, None, theirs, "not run")
    if printed.metric in RATES:
        return Comparison(printed, ours, theirs, "rate")
    if ours.n > 1 and significant(_careful(ours) if printed.metric == "score" else ours, theirs):
        return Comparison(printed, ours, theirs, "disagree")
    wanted = max(NARROW, theirs.half) if printed.metric == "win_pct" else theirs.half
    certain = printed.metric != "score" or ours.n >= FEW
    if ours.n > 1 and certain and (ours.half <= wanted or not wanted):  # where the paper has none, there is nothing to reach
        return Comparison(printed, ours, theirs, "agree")
    more = matches_for(ours, wanted)
    return Comparison(printed, ours, theirs, "undecided", more if certain else max(more, FEW - ours.n))


def _careful(scores: Interval) -> Interval:
    """The interval of a mean score as a test needs it: wider for few runs, endless where these few are all equal."""
    if scores.n < FEW and not scores.half > 0:
        return Interval(scores.mean, -math.inf, math.inf, scores.n)
    half = scores.half * student(scores.n) / Z
    return Interval(scores.mean, scores.mean - half, scores.mean + half, scores.n)


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


def _own(metric: str, parts: list[tuple[Group, bool]], table: PaperTable | None) -> Interval | None:
    if not any(group.n for group, _ in parts):
        return None
    if metric == "win_pct":
        # seen from the other side, points p are 1 - p: the sum of squares of (1 - p) is n - 2 sum + squares
        sums = [
            (g.n, g.n - g.total, g.n - 2 * g.total + g.squares) if turned else (g.n, g.total, g.squares) for g, turned in parts
        ]
        return points_interval(*pool(sums), kind=table.interval if table else "sample").scaled(100.0)
    if metric in RATES:
        n = sum(group.n for group, _ in parts)
        per_tick = "mean_simulations" if table and table.sims == "mean" else "median_simulations"
        name = metric if metric == "sims_per_second" else per_tick
        mean = sum(group.sum(name, turned) for group, turned in parts) / n
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
