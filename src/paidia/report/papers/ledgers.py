"""The matches behind the papers' tables: `matches.csv` in a paper's folder is a ledger (`experiment/store/ledger.py`).

A cell that several papers have is kept with the first of them. Which cells there are follows from the plans; what is kept of a
cell that no plan has (any more, or on this machine: games of others) stays where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from paidia.experiment.cells import Cell
from paidia.experiment.signature.behaviour import behaviour_in
from paidia.experiment.store import Store
from paidia.experiment.store.ledger import Line, joined, lines_of, read_ledger, without_older, write_ledger
from paidia.experiment.store.recall import Recalled, recall

__all__ = ["LEDGER", "keep_matches", "kept_lines", "recall_into"]

LEDGER = "matches.csv"


def kept_lines(papers: Path) -> list[Line]:
    """What the ledgers of all papers have; `papers` is the folder of their folders."""
    return [line for file in sorted(papers.glob(f"*/{LEDGER}")) for line in read_ledger(file)]


def recall_into(path: Path, lines: Iterable[Line], *, plans: Iterable[tuple[str, list[Cell]]]) -> Recalled:
    """Let a store begin with what was kept of the cells of some plans, given with their names.

    A store that has nothing to begin with is not made.
    """
    wanted = list(plans)
    keys = {cell.key for _, cells in wanted for cell in cells}
    own = [line for line in lines if line.cell in keys]
    found, seen = Recalled(), set[str]()
    if own:
        with Store(path, write=True) as store:
            for name, cells in wanted:
                found += recall(store, own, cells=[cell for cell in cells if cell.key not in seen], plan=name)
                seen.update(cell.key for cell in cells)
    return found


def keep_matches(
    papers: Path, cells: Mapping[Path, Iterable[Cell]], *, store: Store, signature: Callable[[Cell], str] = behaviour_in
) -> int:
    """Add the matches of a store to the ledgers of the papers that have their cells; the matches that they hold then.

    What is kept stays as it is, but for lines of other behaviour once today's has played their cell at least as often.

    Args:
        papers: The folder of the papers' folders.
        cells: For each paper's folder the cells of its tables.
        store: The store.
        signature: Tells the behaviour of today that a cell depends on.
    """
    homes: dict[str, Path] = {}
    known: dict[str, Cell] = {}
    for folder in sorted(cells):
        for cell in cells[folder]:
            homes.setdefault(cell.key, folder)
            known.setdefault(cell.key, cell)
    lines = joined(joined([], kept_lines(papers)), lines_of(store, keys=known))
    own: dict[Path, list[Line]] = {file.parent: [] for file in papers.glob(f"*/{LEDGER}")}
    for line in without_older(lines, lambda key: signature(known[key]) if key in known else None):
        own.setdefault(homes.get(line.cell) or Path(line.file).parent, []).append(line)
    for folder, kept in own.items():
        write_ledger(folder / LEDGER, kept)
    return sum(len(line.matches) for kept in own.values() for line in kept)
