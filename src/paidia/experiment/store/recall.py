"""Matches of ledgers entered into a store, so that a run goes on where another ended, on whichever machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from paidia.experiment.cells import Cell
from paidia.experiment.row import Row
from paidia.experiment.signature.behaviour import behaviour_in
from paidia.experiment.store.ledger import Line
from paidia.experiment.store.store import Store

__all__ = ["Recalled", "recall"]


class Recalled(msgspec.Struct, frozen=True):
    """Matches that were entered, that were there before, and that were left out because other behaviour played them."""

    entered: int = 0
    known: int = 0
    other: int = 0

    def __add__(self, more: Recalled) -> Recalled:
        return Recalled(self.entered + more.entered, self.known + more.known, self.other + more.other)


def recall(
    store: Store,
    lines: Iterable[Line],
    *,
    cells: Iterable[Cell],
    plan: str,
    signature: Callable[[Cell], str] = behaviour_in,
) -> Recalled:
    """Enter what ledgers have of some cells, and the store has not.

    Args:
        store: Open for writing.
        lines: All lines; those of other cells are left alone.
        cells: The cells.
        plan: Name of the plan that they are of.
        signature: Tells the behaviour of today that a cell depends on; asked where there are matches.
    """
    own: dict[str, list[Line]] = {}
    for line in lines:
        own.setdefault(line.cell, []).append(line)
    found = Recalled()
    for cell in {cell.key: cell for cell in cells if cell.key in own}.values():
        today = signature(cell)
        for line in own[cell.key]:
            _check(line, cell)
            if line.signature != today:
                found += Recalled(other=len(line.matches))
            else:
                found += _enter(store, line, cell, plan)
    return found


def _check(line: Line, cell: Cell) -> None:
    roles = len(line.matches[0].goals)
    if roles != cell.n_roles or line.alone != (len(cell.contenders) == 1):
        raise line.error(f"not a ledger of matches: {cell.title} has {cell.n_roles} roles and {len(cell.seats)} seats")


def _enter(store: Store, line: Line, cell: Cell, plan: str) -> Recalled:
    id = store.open_cell(cell, plan=plan)
    there = {(pair, seat) for pair, seat, _ in store.done(id)}
    rows: list[tuple[int, int, int, Row]] = [
        (id, match.pair, match.seat, match.row(cell)) for match in line.matches if match.place not in there
    ]
    store.add(rows, signatures={id: line.signature}, version=line.version)
    return Recalled(entered=len(rows), known=len(line.matches) - len(rows))
