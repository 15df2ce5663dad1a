"""The run that spends its time where a verdict is nearest, on a number or on a claim."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

import msgspec

from paidia.experiment.cells import Cell
from paidia.experiment.run.outcome import Backend
from paidia.experiment.run.progress import Progress
from paidia.experiment.run.runner import run_plan
from paidia.experiment.signature.behaviour import behaviour_in
from paidia.experiment.store import Store
from paidia.report.papers.compare import AVERAGE
from paidia.report.papers.forecasts import ClaimForecast, Forecast, Task, everything, groups_of
from paidia.report.papers.verdicts import FEWEST
from paidia.report.summary import summarise

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
            _play(task, cells, 1, seconds, backend=backend, workers=workers, progress=progress)


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
        how = _play(task, cells, math.ceil(step / len(cells)), slice, backend=backend, workers=workers, progress=progress)
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
