"""Our cells beside the paper's.

    disagree    the 95 % interval of the difference excludes 0
    agree       it does not, and our interval is as narrow as the paper's (or 5 points): we would have seen
    a difference that matters
    undecided   our interval is still too wide; `more` matches would make it narrow enough

    other budget   the matches had another budget than the paper's, so that there is nothing to decide

An average row is over all games of the plan, also those whose cells the paper does not print, and "partial" as long as some of
them have not been played; so is a round robin as long as some opponent has not been met. A column that is the best of some
others (`best` of the plan) has in each game the highest of theirs. Rates (simulations per second or tick) depend on the machine,
so they get no verdict: ours is shown as a share of the paper's. The value of a search parameter in the combination that an agent
used most is the "same" or "other".
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

import msgspec

from paidia.experiment.budgets import PaperBudgets
from paidia.experiment.plan import PaperTable
from paidia.report.papers import Printed, Table
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
from paidia.report.summary import Group, group_cells
from paidia.report.usage import Usage

__all__ = ["Comparison", "compare", "compare_table", "count_verdicts"]

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
    """One printed number with ours; `verdict` is "agree", "disagree", "undecided", "not run", "partial", "other budget", "rate",
    "same" or "other".
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
    games: Collection[str] = (),
    rivals: Collection[str] = (),
    budgets: PaperBudgets | None = None,
) -> list[Comparison]:
    """Every printed number with what the store has for it.

    Args:
        printed: The numbers of a table.
        groups: What the store has, levels taken together.
        paper: How the paper computes its intervals and rates.
        usage: What adaptive agents did with their search parameters, by game and agent.
        games: All games of the table; those with printed cells if left out.
        rivals: All agents of a round robin; those that have been met if left out.
        budgets: The paper's budgets: matches with others get no verdict. Whatever they had is taken for the paper's if left out.
    """
    found = []
    for row in printed:
        if row.metric.startswith(MOST_USED):
            found.append(_same_value(row, (usage or {}).get((row.game, row.agent))))
            continue
        columns = paper.best.get(row.agent) if paper else None
        fitting = groups if budgets is None else [group for group in groups if _as_in_the_paper(group, budgets)]
        parts = _best(row, columns, fitting) if columns else _matching(row, fitting)
        other = not any(group.n for group, _ in parts) and fitting is not groups
        if other:
            parts = _best(row, columns, groups) if columns else _matching(row, groups)
        compared = _compare(row, parts, paper)
        if compared.ours is not None and compared.verdict != "rate":
            if other:
                compared = msgspec.structs.replace(compared, verdict="other budget", more=0)
            elif _not_all(row, parts, _games_of(row, printed, games), rivals):
                compared = msgspec.structs.replace(compared, verdict="partial", more=0)
        found.append(compared)
    return found


def compare_table(table: Table, cells: list[Group], *, usage: Mapping[tuple[str, str], Usage] | None = None) -> list[Comparison]:
    """A table of a paper with what the store has of its cells."""
    groups = group_cells(cells)
    return compare(
        table.printed(),
        groups,
        paper=table.paper,
        usage=usage,
        games=table.games(),
        rivals=[] if table.plan.opponents else table.agents(),
        budgets=table.budgets(),
    )


def _not_all(row: Printed, parts: list[tuple[Group, bool]], games: set[str], rivals: Collection[str]) -> bool:
    """Whether some game of an average row, or some opponent of a round robin, has not been played yet."""
    played = [(group, turned) for group, turned in parts if group.n]
    there = {group.game for group, _ in played}
    if row.game == AVERAGE and games - there:
        return True
    if row.opponent != ALL:
        return False
    met = {(group.game, group.agent if turned else group.opponent) for group, turned in played}
    return any((game, rival) not in met for game in there for rival in rivals if rival != row.agent)


def _as_in_the_paper(group: Group, budgets: PaperBudgets) -> bool:
    """Whether all sides of a cell had the paper's budgets."""
    names = (group.agent, group.opponent or "")
    return all(own in budgets.get((group.game, name), ()) for name, own in zip(names, group.budgets, strict=False))


def _games_of(average: Printed, printed: list[Printed], games: Collection[str]) -> set[str]:
    """The games that an average row is about."""
    own = (average.metric, average.agent, average.opponent)
    rows = {row.game for row in printed if row.game != AVERAGE and (row.metric, row.agent, row.opponent) == own}
    return rows | set(games)


def _best(printed: Printed, columns: list[str], groups: list[Group]) -> list[tuple[Group, bool]]:
    """In each game the group of that agent of the columns which has the highest mean there; nothing in a game that some agent
    has not played yet.
    """
    found = []
    for game in dict.fromkeys(group.game for group in groups if printed.game in (AVERAGE, group.game)):
        candidates = []
        for agent in columns:
            cell = msgspec.structs.replace(printed, game=game, agent=agent)
            parts = [(group, turned) for group, turned in _matching(cell, groups) if group.n]
            own = _own(printed.metric, parts, None)
            if own is None:
                break
            candidates.append((own.mean, parts))
        else:
            found += max(candidates, key=lambda candidate: candidate[0])[1]
    return found


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
