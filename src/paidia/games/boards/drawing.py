"""Boards as text: rows from the top, with letters and numbers at the edges."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["cell_name", "draw_grid"]


def cell_name(row: int, column: int) -> str:
    """The name of a cell: column letter and row number, row 1 at the bottom (a1, b7, ...)."""
    return f"{chr(ord('a') + column)}{row + 1}"


def draw_grid(rows: int, columns: int, symbol: Callable[[int, int], str], *, below: str = "") -> str:
    """Draw cells one character wide; `symbol(row, column)` gives each, row 0 is drawn at the bottom."""
    width = len(str(rows))
    lines = [f"{row + 1:>{width}} " + " ".join(symbol(row, column) for column in range(columns)) for row in reversed(range(rows))]
    lines.append(" " * (width + 1) + " ".join(chr(ord("a") + column) for column in range(columns)))
    if below:
        lines.append(below)
    return "\n".join(lines)
