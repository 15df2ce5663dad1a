"""Keeps what stores of the papers' tables say beside the papers' plans, and writes the pages: what a long run came to so far.

    python tools/keep_results.py [STORE_OR_FOLDER...]

Tables share cells: all stores are put together first, with the matches that are kept already (papers/*/matches.csv, as far as
today's behaviour played them), so that a table is also told what was played for another one. A table with fewer matches than were
kept before is left as it is, unless other behaviour played those, and today's has played all that they are about. Then the
matches of the stores are added to those that are kept; without a store the pages follow from these alone. Stores are read only; a
run that writes to them goes on.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from write_results import main as write_results
from write_validation import main as write_validation

from paidia.experiment.budgets import budget_words
from paidia.experiment.cells import Cell
from paidia.experiment.expand import expand
from paidia.experiment.store import Store
from paidia.experiment.store.merge import merge_stores
from paidia.report.papers.compare import Comparison, compare_table
from paidia.report.papers.figures import figure_groups, is_drawn, save_groups
from paidia.report.papers.ledgers import keep_matches, kept_lines, recall_into
from paidia.report.papers.measured import measured_numbers, measured_runs, save_measured
from paidia.report.papers.printed import Table, tables
from paidia.report.papers.verdicts import FEWEST
from paidia.report.summary import Group, summarise
from paidia.report.usage import usage_of

ROOT = Path(__file__).resolve().parent.parent


def snapshot(store: Path, folder: Path) -> Path:
    """A copy of a store as it is now, also while a run writes to it."""
    folder.mkdir(exist_ok=True)
    copy = folder / store.name
    before, after = sqlite3.connect(f"file:{store}?mode=ro", uri=True), sqlite3.connect(copy)
    with before, after:
        before.backup(after)
    before.close()
    after.close()
    return copy


def cells_of(table: Table) -> list[Cell]:
    """The cells of a table that can run here."""
    plan = table.runnable()
    return [] if plan is None else expand(plan, folder=table.file.parent, file=str(table.file))


def keep_all(papers: Path, stores: list[Path]) -> Iterator[str]:
    """Keep every table that stores and ledgers know, then the matches; what was done, line by line."""
    found = tables(papers)
    cells = {table.id: cells_of(table) for table in found}
    with TemporaryDirectory() as folder:
        merged = Path(folder) / "merged" / "all.sqlite"
        merged.parent.mkdir()
        merge_stores(merged, [snapshot(store, Path(folder) / str(i)) for i, store in enumerate(stores)])
        recalled = recall_into(merged, kept_lines(papers), plans=[(table.plan.name, cells[table.id]) for table in found])
        if recalled.other:
            yield f"{recalled.other:,} kept matches are of other behaviour"
        with Store(merged) as store:
            for table in found:
                if told := keep(table, found, store, cells=cells[table.id]):
                    yield f"{table.id}: {told}"
            homes: dict[Path, list[Cell]] = {}
            for table in found:
                homes.setdefault(table.file.parent, []).extend(cells[table.id])
            yield f"{keep_matches(papers, homes, store=store):,} matches are kept"


def builds_of(store: Store, keys: set[str]) -> list[tuple[str, str, int]]:
    """Who played these cells."""
    rows = store.db.execute(
        "SELECT version, signature, cell.key, count(*) FROM match JOIN build ON build.id = match.build"
        " JOIN cell ON cell.id = match.cell GROUP BY build.id, cell.key"
    )
    found: dict[tuple[str, str], int] = {}
    for version, signature, key, number in rows:
        if key in keys:
            found[version, signature] = found.get((version, signature), 0) + number
    return [(*build, number) for build, number in found.items()]


def kept_before(table: Table, found: list[Table]) -> tuple[int, list[Comparison]]:
    """Matches behind the numbers of a table that were kept before (of a figure, behind its cells), and those numbers."""
    folder = table.file.parent
    if not table.printed():
        return sum(group.n for group in figure_groups(folder).get(table.id, [])), []
    numbers = measured_numbers([each for each in found if each.file.parent == folder])[table.id]
    told = [each for each in numbers if each.ours is not None]
    return sum(each.ours.n for each in told if each.ours is not None), told


def replaces(
    table: Table, comparisons: Sequence[Comparison], builds: Sequence[tuple[str, str, int]], told: Sequence[Comparison]
) -> bool:
    """Whether few matches of today take the place of more that other behaviour played: they are about all that those were, and
    each number may get a verdict, or some average is whole that was not.
    """
    run = measured_runs(table.file.parent).get(table.id)
    same = run is not None and any(signature in run.signature for _, signature, _ in builds)
    ours = {each.printed: each.ours.n for each in comparisons if each.ours is not None}
    least = 1 if any(each.verdict == "partial" for each in told) else FEWEST
    return bool(told) and not same and all(ours.get(each.printed, 0) >= least for each in told)


def keep(table: Table, found: list[Table], store: Store, *, cells: list[Cell] | None = None) -> str:
    """Keep one table, of all that there are; what was done, in words. Its cells are found out if they are not given."""
    plan = table.runnable()
    if plan is None:
        return ""
    keys = {cell.key for cell in (cells_of(table) if cells is None else cells)}
    groups: list[Group] = summarise(store, keys=keys)
    played = sum(group.n for group in groups)
    if not played:
        return ""
    usage = usage_of(store, groups) if table.paper.metric == "most_used" else None
    comparisons = compare_table(table, groups, usage=usage)
    ours = sum(each.ours.n for each in comparisons if each.ours is not None) if table.printed() else played
    before, told = kept_before(table, found)
    builds = builds_of(store, keys)
    if ours < before and not replaces(table, comparisons, builds, told):
        return f"{played:,} matches, left as it is: more was kept before"
    save_measured(table, comparisons, budget=budget_words(plan), builds=builds, command=f"paidia reproduce {table.id}")
    if is_drawn(table.id):
        save_groups(table.file.parent, table.id, groups)
    return f"{played:,} matches"


def main() -> None:
    """Keep what the stores have, then write the pages."""
    given = [Path(word) for word in sys.argv[1:]]
    stores = [store for path in given for store in (sorted(path.glob("*.sqlite")) if path.is_dir() else [path])]
    for line in keep_all(ROOT / "papers", stores):
        print(line)
    write_validation()
    write_results()


if __name__ == "__main__":
    main()
