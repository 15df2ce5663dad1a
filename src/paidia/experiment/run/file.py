"""A plan in a file, run into the store beside it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from paidia.core.errors import BadInput
from paidia.experiment.cells import Cell
from paidia.experiment.plan import Plan, load_plan
from paidia.experiment.run.agents import playable_cells
from paidia.experiment.run.backends import make_backend
from paidia.experiment.run.progress import Progress
from paidia.experiment.run.runner import RunResult, run_plan
from paidia.experiment.signature.behaviour import behaviour_in
from paidia.experiment.store import Store

__all__ = ["FileRun", "run_file"]


class FileRun(NamedTuple):
    """What was run, and where the results are."""

    plan: Plan
    cells: list[Cell]
    store: Path
    result: RunResult


def run_file(
    file: Path,
    *,
    store: Path | None = None,
    workers: int | None = None,
    backend: str = "local",
    seconds: float | None = None,
    progress: Progress | None = None,
) -> FileRun:
    """Play all matches of a plan that its store does not have.

    Args:
        file: TOML file of the plan.
        store: SQLite file for the results; the plan's name with the ending .sqlite if left out.
        workers: Matches at a time; the number of cores if left out.
        backend: `local` or `ray`.
        seconds: Stop cleanly after so long.
        progress: Shows how far it is.
    """
    if workers is not None and not 1 <= workers <= 10_000:
        raise BadInput(f"workers must be 1 or more, not {workers}")
    plan = load_plan(file)
    cells = playable_cells(plan, folder=file.parent, file=str(file))
    engine, size = make_backend(backend, workers)
    path = store or file.with_suffix(".sqlite")
    with Store(path, write=True) as results:
        result = run_plan(
            plan,
            results,
            backend=engine,
            folder=file.parent,
            file=str(file),
            cells=cells,
            workers=size,
            signature=behaviour_in,
            seconds=seconds,
            progress=progress,
        )
    return FileRun(plan, cells, path, result)
