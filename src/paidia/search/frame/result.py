"""What a search returns."""

from __future__ import annotations

from html import escape
from typing import Any

import msgspec

__all__ = ["RootMove", "SearchResult"]


class RootMove(msgspec.Struct, frozen=True):
    """One move at the root.

    Attributes:
        move: The move.
        visits: How often it was tried; a share of a visit is left where old statistics have faded.
        mean: Its mean result: in [0, 1], or of values without bounds.
        pruned: Left out of the choice.
    """

    move: int
    visits: float
    mean: float
    pruned: bool = False


class SearchResult(msgspec.Struct, frozen=True):
    """The move chosen and what it rests on.

    Attributes:
        move: The move to play, None if the role does not act here.
        moves: All moves of the role at the root, in generation order.
        simulations: How many were run.
        seconds: How long they took.
        steps: Joint moves played in all simulations together.
        depth: Joint moves in the tree part of the deepest simulation.
        nodes: Size of the tree.
        notes: What else a person may want to see (plain data).
    """

    move: int | None
    moves: list[RootMove]
    simulations: int
    seconds: float
    steps: int
    depth: int = 0
    nodes: int = 0
    notes: dict[str, Any] = {}

    def _repr_html_(self) -> str:
        """The table that a notebook shows: moves by visits, the chosen one in bold."""
        names = self.notes.get("names", {})
        rows = []
        for row in sorted(self.moves, key=lambda row: -row.visits):
            name = escape(str(names.get(row.move, row.move)))
            shown = f"<b>{name}</b>" if row.move == self.move else name
            rows.append(f"<tr><td>{shown}</td><td>{row.visits:g}</td><td>{row.mean:.3f}</td></tr>")
        head = "<tr><th>move</th><th>visits</th><th>mean</th></tr>"
        return f"<table>{head}{''.join(rows)}</table><p>{self.simulations:,} simulations in {self.seconds:.2f} s</p>"
