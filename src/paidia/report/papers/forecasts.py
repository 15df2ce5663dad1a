"""How long verdicts take: on the numbers of the papers' tables, and on their claims.

A number needs so many more matches until `report/papers/verdicts.py` would call it: if our mean stays what it is, or, where
nothing has been played, if it were the paper's. What a match costs is what the matches of its cell took so far, else those of its
game, of its table, of all tables.

A claim is decided in the same way, by matches of both of its sides (`needs.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean

import msgspec

from paidia.experiment.cells import Cell
from paidia.experiment.plan import Plan
from paidia.experiment.store import Store
from paidia.report.papers.claims import DECIDED, Judged, column_of, judge_claims, load_claims, own_values, printed_values
from paidia.report.papers.compare import AVERAGE, Comparison, case_of, compare_table, side_of
from paidia.report.papers.needs import Known, matches_lacking
from paidia.report.papers.printed import Printed, Table
from paidia.report.papers.verdicts import FEWEST, Case, matches_missing
from paidia.report.statistics import Interval
from paidia.report.summary import Group, summarise
from paidia.report.usage import usage_of

__all__ = [
    "ClaimForecast", "Forecast", "TableForecast", "Task", "everything", "forecast", "forecast_claims", "groups_of", "total",
    "total_claims",
]  # fmt: skip

#: Verdicts that more matches change.
OPEN = ("undecided", "not run", "partial")


class Task(msgspec.Struct, frozen=True):
    """A table to be decided: its plan and cells, and the store that has its matches."""

    table: Table
    plan: Plan
    cells: list[Cell]
    path: Path


class Need(msgspec.Struct, frozen=True, kw_only=True):
    """What a verdict needs.

    Attributes:
        cells: Keys of the cells that have to be played.
        matches: Matches that are missing; 0 if it is decided, or if no number of them decides.
        seconds: What they take on one core.
    """

    cells: tuple[str, ...]
    matches: int
    seconds: float

    @property
    def open(self) -> bool:
        """Whether more matches would decide it."""
        return self.matches > 0


class Forecast(Need, frozen=True, kw_only=True):
    """What a number of a table needs; `comparison`: the number, ours, and what may be said so far."""

    comparison: Comparison

    @property
    def average(self) -> bool:
        """Whether it is an average over games."""
        return self.comparison.printed.game == AVERAGE


class ClaimForecast(Need, frozen=True, kw_only=True):
    """What a claim needs: as a number does, of the table that it is about.

    Attributes:
        judged: The claim, and what may be said so far.
        task: Place of its table among the tasks.
    """

    judged: Judged
    task: int

    @property
    def average(self) -> bool:
        """Whether it is about averages over games."""
        return self.judged.claim.game == AVERAGE


class TableForecast(msgspec.Struct, frozen=True):
    """What a table needs, or the claims of a paper.

    Attributes:
        id: The table, or the name of the paper's folder.
        numbers: Printed numbers, or claims, that can get a verdict.
        decided: Those that have one.
        hopeless: Those that no number of matches decides, or that nobody plays here.
        matches: Matches that are missing for the others.
        seconds: What they take on one core.
    """

    id: str
    numbers: int
    decided: int
    hopeless: int
    matches: int
    seconds: float


class _Costs:
    """Seconds of a match, from the nearest matches that have been played."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], list[float]] = {}

    def learn(self, table: str, groups: Iterable[Group]) -> None:
        for group in groups:
            if group.n:
                each = group.mean("seconds")
                for place in (("cell", *group.cells), ("game", table, group.game), ("table", table), ("all",)):
                    self._known.setdefault(place, []).append(each)

    def of(self, table: str, cell: Cell) -> float:
        places = (("cell", cell.key), ("game", table, cell.label), ("table", table), ("all",))
        return next((mean(self._known[place]) for place in places if place in self._known), 1.0)


class _State(msgspec.Struct, frozen=True):
    """What the store of a task says: groups by cell, and every printed number beside ours."""

    groups: list[Group]
    comparisons: list[Comparison]

    def played(self) -> dict[str, int]:
        """Matches of each cell."""
        return {key: group.n for group in self.groups for key in group.cells}


def _states(tasks: Sequence[Task]) -> tuple[list[_State], _Costs]:
    costs = _Costs()
    states = []
    for task in tasks:
        state = _State(*_read(task))
        costs.learn(task.table.id, state.groups)
        states.append(state)
    return states, costs


def forecast(tasks: Sequence[Task]) -> list[list[Forecast]]:
    """For each table what its numbers need, in the order in which they are printed."""
    return _numbers(tasks, *_states(tasks))


def _numbers(tasks: Sequence[Task], states: Sequence[_State], costs: _Costs) -> list[list[Forecast]]:
    return [
        [_forecast(task, each, own.groups, costs) for each in own.comparisons if each.printed.metric in ("win_pct", "score")]
        for task, own in zip(tasks, states, strict=True)
    ]


def everything(tasks: Sequence[Task], *, only_claims: bool = False) -> list[tuple[Forecast | ClaimForecast, Task]]:
    """All claims and numbers with the tables that decide them; stores are read once."""
    states, costs = _states(tasks)
    needs: list[tuple[Forecast | ClaimForecast, Task]] = [(need, tasks[need.task]) for need in _claims(tasks, states, costs)]
    if not only_claims:
        numbers = _numbers(tasks, states, costs)
        needs += [(need, task) for task, own in zip(tasks, numbers, strict=True) for need in own]
    return needs


def forecast_claims(tasks: Sequence[Task]) -> list[ClaimForecast]:
    """What the claims about these tables need."""
    return _claims(tasks, *_states(tasks))


def _claims(tasks: Sequence[Task], states: Sequence[_State], costs: _Costs) -> list[ClaimForecast]:
    found = []
    for folder in dict.fromkeys(task.table.file.parent for task in tasks):
        claims = load_claims(folder)
        own = {task.table.id: i for i, task in enumerate(tasks) if task.table.file.parent == folder}
        values = own_values(each for i in own.values() for each in states[i].comparisons)
        printed = printed_values([row for i in own.values() for row in tasks[i].table.printed()])
        judged = judge_claims(claims, values, printed)
        left = sum(each.verdict not in DECIDED for each in judged)
        for each in (each for each in judged if each.claim.table in own):
            i = own[each.claim.table]
            found.append(_claim(each, i, tasks[i], states[i], costs, left))
    return found


def _claim(judged: Judged, i: int, task: Task, state: _State, costs: _Costs, claims: int) -> ClaimForecast:
    if judged.verdict in DECIDED:
        return ClaimForecast(judged=judged, task=i, cells=(), matches=0, seconds=0.0)
    numbers = (own_values(state.comparisons), printed_values(task.table.printed()))
    known = Known(*numbers, state.played(), lambda game, agent, opponent: _behind(task, game, agent, opponent))
    missing = matches_lacking(judged.claim, known, claims) or {}
    cells = {cell.key: cell for cell in task.cells}
    seconds = sum(number * costs.of(task.table.id, cells[key]) for key, number in missing.items())
    played = tuple(missing)
    if missing and judged.claim.game == AVERAGE:  # what narrows an average most may be a cell that lacks nothing
        sides = (column_of(side) for side in (judged.claim.left, judged.claim.right) if isinstance(side, str))
        played = tuple(dict.fromkeys(key for side in sides for key in _behind(task, AVERAGE, *side)[0]))
    return ClaimForecast(judged=judged, task=i, cells=played, matches=sum(missing.values()), seconds=seconds)


def _behind(task: Task, game: str, agent: str, opponent: str) -> tuple[list[str], int]:
    """The cells behind a column in a game (or in all), and of how many columns it is the best."""
    columns = task.table.paper.best.get(agent, [agent])
    rows = [Printed(task.table.id, "win_pct", game, name, opponent, 0.0, None, 0) for name in columns]
    return [cell.key for cell in task.cells if any(side_of(row, cell.label, *_names(cell)) is not None for row in rows)], len(
        rows
    )


def groups_of(task: Task) -> list[Group]:
    """What the store of a table has of its cells."""
    if not task.path.exists():
        return []
    with Store(task.path) as results:
        return summarise(results, keys={cell.key for cell in task.cells})


def _read(task: Task) -> tuple[list[Group], list[Comparison]]:
    groups = groups_of(task)
    if not groups or task.table.paper.metric != "most_used":
        return groups, compare_table(task.table, groups)
    with Store(task.path) as results:
        return groups, compare_table(task.table, groups, usage=usage_of(results, groups))


def _forecast(task: Task, each: Comparison, groups: list[Group], costs: _Costs) -> Forecast:
    columns = task.table.paper.best.get(each.printed.agent, [each.printed.agent])
    rows = [msgspec.structs.replace(each.printed, agent=agent) for agent in columns]
    cells = [cell for cell in task.cells if any(side_of(row, cell.label, *_names(cell)) is not None for row in rows)]
    keys = tuple(cell.key for cell in cells)
    if each.verdict not in OPEN or not cells:
        return Forecast(comparison=each, cells=keys, matches=0, seconds=0.0)
    if each.verdict == "undecided":
        missing = each.more
    else:
        played = sum(group.n for group in groups if set(group.cells) & set(keys))
        missing = max(1, _expected(each) - played)
    cost = mean(costs.of(task.table.id, cell) for cell in cells)
    return Forecast(comparison=each, cells=keys, matches=missing, seconds=missing * cost)


def _names(cell: Cell) -> tuple[str, str | None]:
    names = [contender.name for contender in cell.contenders]
    return names[0], names[1] if len(names) > 1 else None


def _expected(each: Comparison) -> int:
    """Matches that decide a number if our mean is the paper's; of scores, whose spread nobody knows yet, the fewest."""
    if each.printed.metric == "score":
        return FEWEST
    value = min(100.0, max(0.0, each.printed.value))
    case: Case = case_of(msgspec.structs.replace(each, form=Interval(value, value, value, 0)))
    return max(FEWEST, matches_missing(case))


def total(id: str, needs: Sequence[Forecast]) -> TableForecast:
    """What all numbers of a table need together."""
    return _together(id, [(0, need) for need in needs], sum(need.comparison.verdict in ("agree", "disagree") for need in needs))


def total_claims(tasks: Sequence[Task], needs: Sequence[ClaimForecast]) -> list[TableForecast]:
    """What the claims of each paper need together."""
    found = []
    for folder in dict.fromkeys(task.table.file.parent for task in tasks):
        own = [(need.task, need) for need in needs if tasks[need.task].table.file.parent == folder]
        if own:
            settled = sum(need.judged.verdict in DECIDED for _, need in own)
            found.append(_together(folder.name, own, settled))
    return found


def _together(id: str, needs: Sequence[tuple[int, Forecast | ClaimForecast]], settled: int) -> TableForecast:
    """Needs of several tables, by their places: a cell is played for the one that asks most of it."""
    asked: dict[tuple[int, str], float] = {}
    cost: dict[tuple[int, str], float] = {}
    for place, need in ((place, need) for place, need in needs if need.open):
        for key in need.cells:
            asked[place, key] = max(asked.get((place, key), 0.0), need.matches / len(need.cells))
            cost[place, key] = need.seconds / need.matches
    return TableForecast(
        id=id,
        numbers=len(needs),
        decided=settled,
        hopeless=sum(not need.open for _, need in needs) - settled,
        matches=sum(map(math.ceil, asked.values())),
        seconds=sum(asked[key] * cost[key] for key in asked),
    )
