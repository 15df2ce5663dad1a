"""How long the verdicts of the papers' tables take, and the run that spends its time where one is nearest.

A number needs so many more matches until `report/papers/verdicts.py` would call it: if our mean stays what it is, or, where
nothing has been played, if it were the paper's. What a match costs is what the matches of its cell took so far, else those of its
game, of its table, of all tables.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import mean

import msgspec

from paidia.experiment.cells import Cell
from paidia.experiment.plan import Plan
from paidia.experiment.run.outcome import Backend
from paidia.experiment.run.progress import Progress
from paidia.experiment.run.runner import run_plan
from paidia.experiment.signature import behaviour_in
from paidia.experiment.store import Store
from paidia.report.papers.compare import AVERAGE, Comparison, case_of, compare_table, side_of
from paidia.report.papers.printed import Table
from paidia.report.papers.verdicts import FEWEST, Case, matches_missing
from paidia.report.statistics import Interval
from paidia.report.summary import Group, summarise
from paidia.report.usage import usage_of

__all__ = ["Forecast", "TableForecast", "Task", "forecast", "probe", "spend", "total"]

#: Seconds that one number is played for before the next choice.
SLICE = 60.0

#: Verdicts that more matches change.
OPEN = ("undecided", "not run", "partial")


class Task(msgspec.Struct, frozen=True):
    """A table to be decided: its plan and cells, and the store that has its matches."""

    table: Table
    plan: Plan
    cells: list[Cell]
    path: Path


class Forecast(msgspec.Struct, frozen=True):
    """What a number of a table needs.

    Attributes:
        comparison: The number, ours, and what may be said so far.
        cells: Keys of the cells behind it.
        matches: Matches that are missing; 0 if it is decided, or if no number of them decides.
        seconds: What they take on one core.
    """

    comparison: Comparison
    cells: tuple[str, ...]
    matches: int
    seconds: float

    @property
    def open(self) -> bool:
        """Whether more matches would decide it."""
        return self.matches > 0


class TableForecast(msgspec.Struct, frozen=True):
    """What a table needs.

    Attributes:
        id: The table.
        numbers: Printed numbers that can get a verdict.
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


def forecast(tasks: Sequence[Task]) -> list[list[Forecast]]:
    """For each table what its numbers need, in the order in which they are printed."""
    costs = _Costs()
    read = []
    for task in tasks:
        groups, comparisons = _read(task)
        costs.learn(task.table.id, groups)
        read.append((groups, comparisons))
    return [
        [_forecast(task, each, groups, costs) for each in comparisons if each.printed.metric in ("win_pct", "score")]
        for task, (groups, comparisons) in zip(tasks, read, strict=True)
    ]


def _read(task: Task) -> tuple[list[Group], list[Comparison]]:
    if not task.path.exists():
        return [], compare_table(task.table, [])
    with Store(task.path) as results:
        groups = summarise(results, keys={cell.key for cell in task.cells})
        usage = usage_of(results, groups) if task.table.paper.metric == "most_used" else None
        return groups, compare_table(task.table, groups, usage=usage)


def _forecast(task: Task, each: Comparison, groups: list[Group], costs: _Costs) -> Forecast:
    columns = task.table.paper.best.get(each.printed.agent, [each.printed.agent])
    rows = [msgspec.structs.replace(each.printed, agent=agent) for agent in columns]
    cells = [cell for cell in task.cells if any(side_of(row, cell.label, *_names(cell)) is not None for row in rows)]
    keys = tuple(cell.key for cell in cells)
    if each.verdict not in OPEN or not cells:
        return Forecast(each, keys, 0, 0.0)
    if each.verdict == "undecided":
        missing = each.more
    else:
        played = sum(group.n for group in groups if set(group.cells) & set(keys))
        missing = max(1, _expected(each) - played)
    cost = mean(costs.of(task.table.id, cell) for cell in cells)
    return Forecast(each, keys, missing, missing * cost)


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
    """What all numbers of a table need together: a cell is played for the number that asks most of it."""
    asked: dict[str, float] = {}
    cost: dict[str, float] = {}
    for need in (need for need in needs if need.open):
        for key in need.cells:
            asked[key] = max(asked.get(key, 0.0), need.matches / len(need.cells))
            cost[key] = need.seconds / need.matches
    settled = [need for need in needs if need.comparison.verdict in ("agree", "disagree")]
    return TableForecast(
        id=id,
        numbers=len(needs),
        decided=len(settled),
        hopeless=sum(not need.open for need in needs) - len(settled),
        matches=sum(map(math.ceil, asked.values())),
        seconds=sum(asked[key] * cost[key] for key in asked),
    )


def probe(
    tasks: Sequence[Task],
    seconds: float,
    *,
    backend: Backend,
    workers: int,
    progress: Callable[[], Progress],
) -> None:
    """Play one pair of matches of every cell that has none, each table for so many seconds at the most."""
    for task in tasks:
        played = {key for group in _read(task)[0] for key in group.cells}
        cells = [cell for cell in task.cells if cell.key not in played]
        if cells:
            _play(task, cells, 1, seconds, backend=backend, workers=workers, progress=progress)


def spend(
    tasks: Sequence[Task],
    seconds: float,
    *,
    backend: Backend,
    workers: int,
    progress: Callable[[], Progress],
    tell: Callable[[str], None],
) -> str:
    """Play for so long, always the number whose verdict is nearest; returns why it ended.

    Args:
        tasks: The tables.
        seconds: How long.
        backend: Where matches are played.
        workers: How many at a time.
        progress: Shows how far a slice is.
        tell: Is told which number is played and what it needs.
    """
    end = time.monotonic() + seconds
    vain: set[tuple[str, ...]] = set()  # whose matches brought no result, e.g. because all fail
    while (left := end - time.monotonic()) > 0:
        needs = [(need, task) for task, own in zip(tasks, forecast(tasks), strict=True) for need in own]
        choices = [(need.seconds, i) for i, (need, _) in enumerate(needs) if need.open and need.cells not in vain]
        if not choices:
            return "decided"
        need, task = needs[min(choices)[1]]
        tell(_words(need, task, workers))
        cells = [cell for cell in task.cells if cell.key in need.cells]
        each = need.seconds / need.matches
        step = min(need.matches, max(FEWEST, int(SLICE * workers / max(each, 1e-6))))
        slice = min(left, max(2 * SLICE, 3 * each))  # long matches are not cut off again and again
        how = _play(task, cells, math.ceil(step / len(cells)), slice, backend=backend, workers=workers, progress=progress)
        if how == "interrupted":
            return "interrupted"
        if how == "nothing":
            vain.add(need.cells)
    return "out of time"


def _words(need: Forecast, task: Task, workers: int) -> str:
    row = need.comparison.printed
    game = "average" if row.game == AVERAGE else row.game
    against = f" against {row.opponent}" if row.opponent else ""
    needs = f"{need.matches:,} matches, {need.seconds / workers:,.0f} s to a verdict"
    return f"{task.table.id}, {game}, {row.agent}{against}: {needs}"


def _play(
    task: Task,
    cells: list[Cell],
    more: int,
    seconds: float,
    *,
    backend: Backend,
    workers: int,
    progress: Callable[[], Progress],
) -> str:
    """So many more matches of each of these cells; "interrupted", "nothing" or "played"."""
    with Store(task.path, write=True) as results:
        have = {group.cells[0]: group.n + group.failed for group in summarise(results, keys={cell.key for cell in cells})}
        fewest = min(have.get(cell.key, 0) for cell in cells)
        result = run_plan(
            msgspec.structs.replace(task.plan, matches=fewest + more, stop=None),
            results,
            backend=backend,
            cells=[cell for cell in cells if have.get(cell.key, 0) < fewest + more],
            workers=workers,
            seconds=seconds,
            signature=behaviour_in,
            progress=progress(),
        )
    if result.reason == "interrupted":
        return "interrupted"
    return "played" if result.played > result.failed else "nothing"
