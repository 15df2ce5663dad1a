"""`paidia report`: what a store says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paidia.cli.output import print_json, say
from paidia.cli.results import show_results
from paidia.experiment.store import Store
from paidia.report.page import write_report
from paidia.report.summary import group_cells, summarise


def run(
    store: Path,
    *,
    output: Annotated[Path | None, Parameter(name=["-o", "--output"])] = None,
    papers: Path | None = None,
    tree: Annotated[list[Path] | None, Parameter(negative=())] = None,
    json: bool = False,
) -> None:
    """Show the results in a store; with -o also write a page (HTML) and all tables (CSV, LaTeX).

    Args:
        store: Store of an experiment; it may still be running.
        output: Folder for report.html and the tables.
        papers: Folder with the papers' plans, to compare with.
        tree: A saved search tree (`paidia tree ... -o FILE.npz`) to measure and draw on the page. Repeatable.
        json: Print one JSON document.
    """
    with Store(store) as results:
        cells = summarise(results)
        if output is not None:
            write_report(results, output, cells=cells, papers=papers, trees=tree or [])
    groups = group_cells(cells)
    if json:
        print_json(groups)
        return
    show_results(groups, f"{store}: {sum(group.n for group in groups):,} matches")
    if output is not None:
        say(f"written to {output / 'report.html'}")
