"""Positions of boards as text, in the manner of FEN: the board from its top row down, the role to move, and what else counts.

    x2o3/7/7/7/7/7 red -

Rows are parted by `/`; a number stands for so many empty cells, a letter for a piece (the one that drawings show). What else a
position needs follows in further words, parted by blanks; each game says which.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paidia.core.errors import BadInput, nearest

__all__ = ["read_board", "read_count", "read_role", "write_board"]

Planes = NDArray[np.uint8]


def write_board(state: Any, symbols: str, *words: object) -> str:
    """The text of a position; `symbols` are the letters of the two roles, `words` what else counts."""
    planes = np.empty(state.game.observation_shape, np.uint8)
    state.observe(planes)
    rows = []
    for row in planes[::-1]:
        line = "".join(symbols[0] if first else symbols[1] if second else "." for first, second, _ in row.tolist())
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), line))
    return " ".join(["/".join(rows), state.game.roles[int(planes[0, 0, 2])], *map(str, words)])


def read_board(game: Any, text: str, symbols: str, words: int = 0) -> tuple[Planes, int, list[str]]:
    """The pieces (rows x columns x 2), the role to move and the further words of a text."""
    parts = text.split()
    if len(parts) != 2 + words:
        raise BadInput(
            f"{game.id}: a position is {2 + words} words, the first the board from its top row down; {text!r} has {len(parts)}"
        )
    rows, columns, _ = game.observation_shape
    lines = parts[0].split("/")
    if len(lines) != rows:
        raise BadInput(f"{game.id}: the board has {rows} rows, parted by /, and {parts[0]!r} has {len(lines)}")
    pieces = np.zeros((rows, columns, 2), np.uint8)
    for row, line in zip(reversed(range(rows)), lines, strict=True):
        column = 0
        for token in re.findall(r"\d+|.", line):
            if token.isdigit() and token.isascii():
                column += int(token[:4])
                continue
            if token not in symbols:
                raise BadInput(f"{game.id}: {token!r} in row {row + 1} is no piece; pieces are {' and '.join(symbols)}")
            if column < columns:
                pieces[row, column, symbols.index(token)] = 1
            column += 1
        if column != columns:
            raise BadInput(f"{game.id}: a row has {columns} cells, and {line!r} (row {row + 1}) has {column}")
    return pieces, read_role(game, parts[1], "to move"), parts[2:]


def read_role(game: Any, word: str, what: str, *, nobody: Sequence[str] = ()) -> int:
    """The number of a role; -1 for a word that stands for nobody."""
    if word in nobody:
        return -1
    if word not in game.roles:
        near = nearest(word, [*game.roles, *nobody]) or [*game.roles, *nobody]
        raise BadInput(f"{game.id}: {word!r} is no role ({what}); did you mean {' or '.join(near)}?")
    return int(game.roles.index(word))


def read_count(game: Any, word: str, what: str, most: int) -> int:
    """A number from 0 to `most`."""
    if not (word.isascii() and word.isdigit() and len(word) < 10 and int(word) <= most):
        raise BadInput(f"{game.id}: {what} is a number from 0 to {most}, not {word!r}")
    return int(word)
