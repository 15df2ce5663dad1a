"""`paidia run`: an experiment."""

from __future__ import annotations

from pathlib import Path

from paidia.cli.output import print_json, progress_console, say
from paidia.cli.results import end_run, show_results
from paidia.experiment.run.file import run_file
from paidia.experiment.run.progress import make_progress
from paidia.experiment.signature.behaviour import differ
from paidia.experiment.store import Store
from paidia.report.summary import group_cells, summarise


def run(
    plan: Path,
    *,
    workers: int | None = None,
    backend: str = "local",
    store: Path | None = None,
    seconds: float | None = None,
    quiet: bool = False,
    json: bool = False,
) -> None:
    """Run an experiment, or go on with one that was interrupted: what the store has is not played again.

    Exits with 1 if matches were played and not one came to a regular end, with 2 if the plan or one of its agents cannot be
    played (then nothing is), with 130 if it was interrupted.

    Args:
        plan: TOML file of the experiment (docs/experiments.md shows how to write one).
        workers: Matches at a time; the number of cores if left out.
        backend: `local` (processes on this machine) or `ray` (a Ray cluster).
        store: SQLite file for the results; PLAN with the ending .sqlite if left out.
        seconds: Stop cleanly after so long; the same command goes on later.
        quiet: Show no progress.
        json: Print one JSON document.
    """
    progress = make_progress(progress_console, quiet=quiet)
    done = run_file(plan, store=store, workers=workers, backend=backend, seconds=seconds, progress=progress)
    path, result = done.store, done.result
    with Store(path) as results:
        builds = results.builds()
        groups = group_cells(summarise(results, keys={cell.key for cell in done.cells}))
    if json:
        print_json({"store": str(path), "result": result, "cells": groups})
        end_run(result)
        return
    if groups:
        show_results(groups, done.plan.name)
    rest = "" if result.reason == "finished" else f" ({result.reason}; the same command goes on)"
    failed = f", {result.failed:,} failed" if result.failed else ""
    now = f"{result.played:,} of them played now{rest}"
    say(f"{result.done:,} of {result.target:,} matches{failed} in {path}, {now}")
    for cell, verdict in result.verdicts.items():
        say(f"{cell}: {verdict}")
    if differ(signature for _, signature, _ in builds):
        say("note: the matches of this store come from versions of paidia that play differently")
    end_run(result)
