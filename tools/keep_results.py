"""Keeps what stores of the papers' tables say beside the papers' plans, and writes the pages: what a long run came to so far.

    python tools/keep_results.py [STORE_OR_FOLDER...]

Tables share cells: all stores are put together first, with the matches that are kept already (papers/*/matches.csv, as far as
today's behaviour played them), so that a table is also told what was played for another one. A number with more matches than
there are today stays as it was kept, unless other behaviour played those and today's has played enough for a verdict; so does an
average over all its games as long as today's lacks some. Then the matches of the stores are added to those that are kept; without
a store the pages follow from these alone. Stores are read only; a run that writes to them goes on.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
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
from paidia.report.papers.measured import NOTES, measured_numbers, measured_runs, save_measured
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


def replaces(new: Comparison, kept: Comparison | None, *, same: bool) -> bool:
    """Whether a number of today takes the place of the one that is kept; `same`: the same behaviour played that."""
    if new.ours is None or kept is None or kept.ours is None:
        return new.ours is not None
    whole = [each.verdict not in NOTES for each in (new, kept)]
    if whole[0] != whole[1]:
        return whole[0]
    return new.ours.n >= kept.ours.n or (not same and new.ours.n >= FEWEST)


def keep(table: Table, found: list[Table], store: Store, *, cells: list[Cell] | None = None) -> str:
    """Keep one table, of all that there are; what was done, in words. Its cells are found out if they are not given."""
    plan = table.runnable()
    if plan is None:
        return ""
    places = {cell.key: place for place, cell in enumerate(cells_of(table) if cells is None else cells)}
    keys = set(places)
    groups: list[Group] = sorted(summarise(store, keys=keys), key=lambda group: places[group.cells[0]])
    played = sum(group.n for group in groups)
    if not played:
        return ""
    usage = usage_of(store, groups) if table.paper.metric == "most_used" else None
    builds = builds_of(store, keys)
    run = measured_runs(table.file.parent).get(table.id)
    same = run is not None and set(run.signature.split()) == {word for _, signature, _ in builds for word in signature.split()}
    kept = {
        each.printed: each
        for each in measured_numbers([each for each in found if each.file.parent == table.file.parent])[table.id]
    }
    numbers = [
        (each, True) if replaces(each, kept.get(each.printed), same=same) else (kept[each.printed], False)
        for each in compare_table(table, groups, usage=usage)
    ]
    drawn = sum(group.n for group in figure_groups(table.file.parent).get(table.id, []))
    if not (any(new for _, new in numbers) if numbers else played >= drawn):
        return f"{played:,} matches, left as it is: more was kept before"
    if run is not None and any(not new and each.ours is not None for each, new in numbers):
        builds.append((run.version, run.signature, 0))
    told = [each for each, _ in numbers]
    save_measured(table, told, budget=budget_words(plan), builds=builds, command=f"paidia reproduce {table.id}")
    if is_drawn(table.id) and played >= drawn and (drawn or len(groups) == len(keys)):  # a first picture shows all of it
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
