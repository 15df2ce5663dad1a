"""A state of facts as text for a person: facts like `(cell 3 1 x)` as a board, the others in lines below it."""

from __future__ import annotations

import re
from collections import Counter

__all__ = ["draw_fluents"]

_CELL = re.compile(r"\(([^\s()]+) ([^\s()]+) ([^\s()]+) ([^\s()]+)\)")
_EMPTY = {"b", "blank", "empty", "e", "_", "nil", "none"}
_LEAST_CELLS = 4


def draw_fluents(fluents: list[str]) -> str:
    """The board, where one relation looks like its cells, and all other facts."""
    cells = _cells(fluents)
    if not cells:
        return _lines(fluents)
    others = [fact for fact in fluents if fact not in cells]
    return "\n".join([*_board(list(cells.values())), *([_lines(others)] if others else [])])


def _lines(facts: list[str]) -> str:
    """Facts side by side, none broken over lines."""
    lines = [""]
    for fact in facts:
        if lines[-1] and len(lines[-1]) + len(fact) > 98:
            lines.append("")
        lines[-1] += ("  " if lines[-1] else "") + fact
    return "\n".join(lines)


def _cells(fluents: list[str]) -> dict[str, tuple[str, str, str]]:
    """The facts of the relation that says most often, and at most once for a place, what stands there."""
    found: dict[str, dict[str, tuple[str, str, str]]] = {}
    for fact in fluents:
        if match := _CELL.fullmatch(fact):
            found.setdefault(match[1], {})[fact] = (match[2], match[3], match[4])
    for relation in sorted(found, key=lambda name: -len(found[name])):
        cells = found[relation]
        once = len({(x, y) for x, y, _ in cells.values()}) == len(cells)
        if once and len(cells) >= _LEAST_CELLS:
            return cells
    return {}


def _natural(text: str) -> list[tuple[int, int, str]]:
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", text)]


def _axis(names: set[str]) -> list[str]:
    """Coordinates in order; a number or letter that nothing stands on is put in."""
    if all(name.isdecimal() and len(name) < 3 for name in names):
        return [str(number) for number in range(min(map(int, names)), max(map(int, names)) + 1)]
    if all(len(name) == 1 and name.isascii() and name.isalpha() for name in names):
        return [chr(code) for code in range(min(map(ord, names)), max(map(ord, names)) + 1)]
    return sorted(names, key=_natural)


def _board(cells: list[tuple[str, str, str]]) -> list[str]:
    columns = _axis({x for x, _, _ in cells})
    rows = _axis({y for _, y, _ in cells})[::-1]
    signs = _signs({what for _, _, what in cells})
    at = {(x, y): signs[what] for x, y, what in cells}
    width = max(map(len, [*signs.values(), *columns]))
    margin = max(map(len, rows))
    lines = [f"{y:>{margin}} " + " ".join(f"{at.get((x, y), '.'):>{width}}" for x in columns).rstrip() for y in rows]
    return [*lines, " " * margin + " " + " ".join(f"{x:>{width}}" for x in columns)]


def _signs(names: set[str]) -> dict[str, str]:
    """Short names: as many letters as it takes to tell them apart."""
    signs = {name: "." for name in names if name.lower() in _EMPTY}
    real = sorted(names - set(signs))
    for length in range(1, 5):
        short = {name: name[:length] for name in real}
        if max(Counter(short.values()).values(), default=0) <= 1:
            return signs | short
    return signs | {name: name for name in real}
