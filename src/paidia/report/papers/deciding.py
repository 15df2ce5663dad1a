"""The run that spends its time where a verdict is nearest, on a number or on a claim."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from statistics import mean

import msgspec

from paidia.experiment.cells import Cell
from paidia.experiment.run.outcome import Backend
from paidia.experiment.run.progress import Progress
from paidia.experiment.run.runner import run_plan
from paidia.experiment.signature.behaviour import behaviour_in
from paidia.experiment.store import Store
from paidia.report.papers.allotment import Place, allot
from paidia.report.papers.compare import AVERAGE
from paidia.report.papers.forecasts import ClaimForecast, Forecast, Task, everything, groups_of
from paidia.report.papers.verdicts import FEWEST

__all__ = ["probe", "spend"]

#: Seconds that one number is played for before the next choice.
SLICE = 60.0


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
        played = {key for group in groups_of(task) for key in group.cells}
        cells = [cell for cell in task.cells if cell.key not in played]
        if cells:
            _play(
                task,
                cells,
                dict.fromkeys((cell.key for cell in cells), 1),
                seconds,
                backend=backend,
                workers=workers,
                progress=progress,
            )


def spend(
    tasks: Sequence[Task],
    seconds: float,
    *,
    backend: Backend,
    workers: int,
    progress: Callable[[], Progress],
    tell: Callable[[str], None],
    only_claims: bool = False,
) -> str:
    """Play for so long, always the number or claim whose verdict is nearest; returns why it ended.

    Args:
        tasks: The tables.
        seconds: How long.
        backend: Where matches are played.
        workers: How many at a time.
        progress: Shows how far a slice is.
        tell: Is told which number or claim is played and what it needs.
        only_claims: Whether numbers are left alone.
    """
    end = time.monotonic() + seconds
    vain: set[tuple[str, ...]] = set()  # whose matches brought no result, e.g. because all fail
    while (left := end - time.monotonic()) > 0:
        needs = everything(tasks, only_claims=only_claims)
        choices = [(need.seconds, i) for i, (need, _) in enumerate(needs) if need.open and need.cells not in vain]
        if not choices:
            return "decided"
        need, task = needs[min(choices)[1]]
        tell(_words(need, task, workers))
        cells = [cell for cell in task.cells if cell.key in need.cells]
        each = need.seconds / need.matches
        step = min(need.matches, max(FEWEST, int(SLICE * workers / max(each, 1e-6))))
        slice = min(left, max(2 * SLICE, 3 * each))  # long matches are not cut off again and again
        targets = _by_spread(task, cells, step) if need.average else _evenly(task, cells, math.ceil(step / len(cells)))
        how = _play(task, cells, targets, slice, backend=backend, workers=workers, progress=progress)
        if how == "interrupted":
            return "interrupted"
        if how == "nothing":
            vain.add(need.cells)
    return "out of time"


def _words(need: Forecast | ClaimForecast, task: Task, workers: int) -> str:
    needs = f"{need.matches:,} matches, {need.seconds / workers:,.0f} s to a verdict"
    if isinstance(need, ClaimForecast):
        return f'{task.table.id}, "{need.judged.claim.text}": {needs}'
    row = need.comparison.printed
    game = "average" if row.game == AVERAGE else row.game
    against = f" against {row.opponent}" if row.opponent else ""
    return f"{task.table.id}, {game}, {row.agent}{against}: {needs}"


def _evenly(task: Task, cells: Sequence[Cell], more: int) -> dict[str, int]:
    """Matches that cells are to have: so many more than the one with fewest has."""
    have = {group.cells[0]: group.n + group.failed for group in groups_of(task)}
    fewest = min(have.get(cell.key, 0) for cell in cells)
    return {cell.key: fewest + more for cell in cells}


def _by_spread(task: Task, cells: Sequence[Cell], more: int) -> dict[str, int]:
    """Matches that cells of an average are to have: so many more, where they narrow its interval most."""
    known = {group.cells[0]: group for group in groups_of(task)}
    costs = [known[cell.key].mean("seconds") for cell in cells if cell.key in known]
    usual = mean(costs) if costs else 1.0
    places, have = [], []
    for cell in cells:
        group = known.get(cell.key)
        have.append(0 if group is None else group.n + group.failed)
        places.append(
            Place((), len(cell.seats), usual)
            if group is None
            else Place(group.strata, len(cell.seats), group.mean("seconds") or usual)
        )
    return {cell.key: old + new for cell, old, new in zip(cells, have, allot(places, more), strict=True)}


def _play(
    task: Task,
    cells: list[Cell],
    targets: Mapping[str, int],
    seconds: float,
    *,
    backend: Backend,
    workers: int,
    progress: Callable[[], Progress],
) -> str:
    """Matches of these cells until each has its number; "interrupted", "nothing" or "played"."""
    with Store(task.path, write=True) as results:
        result = run_plan(
            msgspec.structs.replace(task.plan, stop=None),
            results,
            backend=backend,
            cells=cells,
            workers=workers,
            seconds=seconds,
            signature=behaviour_in,
            progress=progress(),
            targets=targets,
        )
    if result.reason == "interrupted":
        return "interrupted"
    return "played" if result.played > result.failed else "nothing"
