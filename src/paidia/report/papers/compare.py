"""Our cells beside the paper's: agree, disagree or undecided, as `report/papers/verdicts.py` decides for a table as a whole.

    other budget   the matches had another budget than the paper's, so that there is nothing to decide

An average row is over all games of the plan, also those whose cells the paper does not print; each counts alike, however many
matches it has, and so does each level and assignment of roles inside it. It is "partial" as long as some games have not been
played; so is a round robin as long as some opponent has not been met. A column that is the best of some others (`best` of the
plan) has in each game the highest of theirs. Rates (simulations per second or tick) depend on the machine, so they get no
verdict: ours is shown as a share of the paper's. The value of a search parameter in the combination that an agent used most is
the "same" or "other".
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import msgspec

from paidia.experiment.budgets import PaperBudgets
from paidia.experiment.plan import PaperTable
from paidia.report.estimates import mean_of
from paidia.report.papers.printed import Printed, Table
from paidia.report.papers.verdicts import AVERAGE_MARGIN, CELL_MARGIN, FEWEST, SCORE_MARGIN, Case, judge
from paidia.report.statistics import Interval, Stratum, Z, evenly, mean_over, percent, points_interval, pool, sample, worth_of
from paidia.report.summary import Group, group_cells
from paidia.report.usage import Usage

__all__ = ["AVERAGE", "Comparison", "case_of", "compare", "compare_table", "count_verdicts", "side_of"]

ALL = "all-others"  # opponent of a round robin
AVERAGE = "average"  # game of an average row

RATES = {"sims_per_second", "sims_per_tick"}

#: Metrics that begin so are values of search parameters: "most_used_K".
MOST_USED = "most_used_"


class Comparison(msgspec.Struct, frozen=True):
    """One printed number with ours.

    Attributes:
        printed: The number.
        ours: Ours, with the interval of `report/estimates.py`.
        paper: The paper's, with its own interval.
        verdict: "agree", "disagree", "undecided", "not run", "partial", "other budget", "rate", "same" or "other".
        more: Matches that would probably decide what is undecided; 0 if no number of them can.
        form: Ours with the interval in the paper's form.
        gap: Ours minus the paper's.
        p: Chance of such a difference where there is none, before it is corrected for the number of cells.
        margin: The difference that matters.
        reason: Why it is undecided.
    """

    printed: Printed
    ours: Interval | None
    paper: Interval
    verdict: str
    more: int = 0
    form: Interval | None = None
    gap: Interval | None = None
    p: float | None = None
    margin: float | None = None
    reason: str = ""


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
    return judged(found)


def judged(comparisons: list[Comparison]) -> list[Comparison]:
    """The comparisons of a table with their verdicts; those that have one keep it."""
    cases = {i: case_of(each) for i, each in enumerate(comparisons) if each.form is not None and each.verdict == ""}
    found = list(comparisons)
    for (i, case), verdict in zip(cases.items(), judge(list(cases.values())), strict=True):
        found[i] = msgspec.structs.replace(
            comparisons[i],
            verdict=verdict.word,
            more=verdict.more,
            gap=verdict.gap,
            p=verdict.p,
            margin=case.margin,
            reason=verdict.reason,
        )
    return found


def case_of(each: Comparison) -> Case:
    """A number with ours, as `report/papers/verdicts.py` judges it."""
    assert each.form is not None
    printed = each.printed
    if printed.metric == "score":
        margin = max(SCORE_MARGIN * abs(printed.value), printed.half or 0.0)
    else:
        margin = AVERAGE_MARGIN if printed.game == AVERAGE else CELL_MARGIN
    half = printed.half or None
    return Case(each.form, printed.value, half, printed.runs, margin, share=printed.metric != "score")


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
    has not played often enough yet: the best of several chance results is no result.
    """
    found = []
    for game in dict.fromkeys(group.game for group in groups if printed.game in (AVERAGE, group.game)):
        candidates = []
        for agent in columns:
            cell = msgspec.structs.replace(printed, game=game, agent=agent)
            parts = [(group, turned) for group, turned in _matching(cell, groups) if group.n]
            own = _own(printed.metric, parts, None)
            if own is None or own.n < FEWEST:
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
    form = _own(printed.metric, parts, table)
    return beside(printed, form, theirs)


def beside(printed: Printed, form: Interval | None, theirs: Interval | None = None) -> Comparison:
    """A printed number and ours, given in the paper's form, before there is a verdict."""
    theirs = theirs or _paper_interval(printed)
    if form is None:
        return Comparison(printed, None, theirs, "not run")
    if printed.metric in RATES:
        return Comparison(printed, form, theirs, "rate")
    if printed.metric == "score":  # its sums, from the interval of the paper's form
        variance = (form.half / Z) ** 2 * form.n if math.isfinite(form.half) else 0.0
        total = form.mean * form.n
        ours = mean_of(form.n, total, variance * (form.n - 1) + total * form.mean)
    else:
        ours = percent(form.mean, form.n, gain=form.gain)
    return Comparison(printed, ours, theirs, "", form=form)


def _matching(printed: Printed, groups: list[Group]) -> list[tuple[Group, bool]]:
    """The groups behind a printed number, and whether they are seen from the other side."""
    found = []
    for group in groups:
        side = side_of(printed, group.game, group.agent, group.opponent)
        if side is not None:
            found.append((group, side == 1))
    return found


def side_of(printed: Printed, game: str, agent: str, opponent: str | None) -> int | None:
    """Which side of a pairing a printed number is about: 0 the agent, 1 its opponent; None if it is not about this pairing."""
    if printed.game not in (AVERAGE, game):
        return None
    if printed.agent == agent and (printed.opponent == ALL or printed.opponent in ("", opponent or "")):
        return 0
    if printed.agent == opponent and (printed.opponent == ALL or printed.opponent in ("", agent)):
        return 1
    return None


def _own(metric: str, parts: list[tuple[Group, bool]], table: PaperTable | None) -> Interval | None:
    if not any(group.n for group, _ in parts):
        return None
    if metric == "win_pct":
        played = [_strata(group, turned) for group, turned in parts if group.n]
        sums = pool((int(part.n), part.total, part.squares) for strata in played for part in strata)
        whole = points_interval(*sums, kind=table.interval if table else "sample")
        if len(played) == 1:
            return (_in_one_game(played[0], whole) or whole).scaled(100.0)
        mean = mean_over(played)
        return Interval(mean, mean - whole.half, mean + whole.half, whole.n, worth_of(played)).scaled(100.0)
    if metric in RATES:
        per_tick = "mean_simulations" if table and table.sims == "mean" else "median_simulations"
        name = metric if metric == "sims_per_second" else per_tick
        n = sum(group.having(name, turned) for group, turned in parts)
        if not n:
            return None
        mean = sum(group.sum(name, turned) for group, turned in parts) / n
        return Interval(mean, mean, mean, n)
    if metric == "score":
        scored = [group for group, _ in parts if group.scores[0]]
        whole = sample(*pool(group.scores for group in scored))
        return (_in_one_game(scored[0].scored, whole) if len(scored) == 1 else None) or whole if scored else None
    return None


def _in_one_game(strata: Sequence[Stratum], whole: Interval) -> Interval | None:
    """The mean of a game whose levels or assignments of roles were not played equally often: each counts alike, as in the paper's
    runs. None where they were: then it is that of all matches.
    """
    if len({part.n for part in strata}) < 2:
        return None
    same = evenly(strata)
    half = sample(same.n, same.total, same.squares).half
    half = half if half > 0 else whole.half
    return Interval(same.mean, same.mean - half, same.mean + half, whole.n, same.n)


def _strata(group: Group, turned: bool) -> list[Stratum]:
    """The strata of a group, or all of it as one where only its sums are known; seen from the other side if so told."""
    own = group.strata or (Stratum(group.n, group.total, group.squares),)
    return [part.turned() if turned else part for part in own]


def _paper_interval(printed: Printed) -> Interval:
    """The paper's interval; where it prints none, or one of no width, the binomial one (Wilson's) of its
    number of runs.
    """
    value = printed.value
    if printed.half:
        return Interval(value, value - printed.half, value + printed.half, printed.runs)
    if printed.metric == "win_pct" and printed.runs:
        return percent(value, printed.runs)
    return Interval(value, value, value, printed.runs)
