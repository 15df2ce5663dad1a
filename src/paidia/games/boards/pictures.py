"""Native boards as pictures: a grid of squares or of lines, a frame that discs fall into, a field of hexagons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paidia.core.picture import Piece, Scene, Shape, Spot
from paidia.games.boards.drawing import cell_name

__all__ = ["frame_scene", "hex_scene", "line_scene", "square_scene"]

CELL = 40.0
EDGE = 20.0  # where letters and numbers stand

#: What stands in a row and column, counted from the bottom: a role, or -1.
Contents = Callable[[int, int], int]
Symbols = Sequence[list[Shape]]


def _at(rows: int, row: int, column: int) -> tuple[float, float]:
    return EDGE + CELL * column, EDGE / 2 + CELL * (rows - 1 - row)


def _size(rows: int, columns: int) -> tuple[float, float]:
    return EDGE * 1.5 + CELL * columns, EDGE * 1.5 + CELL * rows


def _names(rows: int, columns: int) -> list[Shape]:
    """Letters below, numbers on the left."""
    middle = CELL / 2
    across = [(EDGE + CELL * c + middle, EDGE * 1.1 + CELL * rows, chr(ord("a") + c)) for c in range(columns)]
    up = [(EDGE / 2, EDGE / 2 + CELL * (rows - 1 - r) + middle, str(r + 1)) for r in range(rows)]
    return [Shape("text", [x, y], fill="muted", text=text, size=12.0) for x, y, text in across + up]


def _pieces(rows: int, columns: int, contents: Contents) -> list[Piece]:
    cells = ((row, column, contents(row, column)) for row in range(rows) for column in range(columns))
    return [Piece(str(role), *_at(rows, row, column), CELL) for row, column, role in cells if role >= 0]


def _spots(rows: int, columns: int) -> dict[str, Spot]:
    cells = ((row, column) for row in range(rows) for column in range(columns))
    return {cell_name(r, c): Spot(*_at(rows, r, c), CELL, CELL, cell_name(r, c)) for r, c in cells}


def _scene(rows: int, columns: int, contents: Contents, symbols: Symbols, shapes: list[Shape], caption: str) -> Scene:
    width, height = _size(rows, columns)
    return Scene(
        width,
        height,
        shapes=[*shapes, *_names(rows, columns)],
        symbols={str(role): drawing for role, drawing in enumerate(symbols)},
        pieces=_pieces(rows, columns, contents),
        spots=_spots(rows, columns),
        caption=caption,
    )


def square_scene(rows: int, columns: int, contents: Contents, symbols: Symbols, *, caption: str, checkered: bool = True) -> Scene:
    """Pieces on squares."""
    squares = [
        Shape(
            "rect",
            [*_at(rows, r, c), CELL, CELL],
            fill="shade" if checkered and (r + c) % 2 == 0 else "board",
            stroke="line",
            width=1.0,
        )
        for r in range(rows)
        for c in range(columns)
    ]
    return _scene(rows, columns, contents, symbols, squares, caption)


def line_scene(rows: int, columns: int, contents: Contents, symbols: Symbols, *, caption: str) -> Scene:
    """Stones where lines cross."""
    left, top = _at(rows, rows - 1, 0)
    half = CELL / 2
    shapes = [Shape("rect", [left, top, CELL * columns, CELL * rows], fill="wood")]
    for c in range(columns):
        x = left + CELL * c + half
        shapes.append(Shape("line", [x, top + half, x, top + CELL * rows - half], stroke="ink", width=1.0))
    for r in range(rows):
        y = top + CELL * r + half
        shapes.append(Shape("line", [left + half, y, left + CELL * columns - half, y], stroke="ink", width=1.0))
    for r, c in _stars(rows, columns):
        x, y = _at(rows, r, c)
        shapes.append(Shape("ellipse", [x + half, y + half, 3.0, 3.0], fill="ink"))
    return _scene(rows, columns, contents, symbols, shapes, caption)


def _stars(rows: int, columns: int) -> list[tuple[int, int]]:
    """The dots on a board for go."""
    if rows != columns or rows < 9 or rows % 2 == 0:
        return []
    near = 3 if rows >= 13 else 2
    places = [near, rows // 2, rows - 1 - near]
    return [(r, c) for r in places for c in places if rows >= 13 or (r == rows // 2) == (c == rows // 2)]


def frame_scene(rows: int, columns: int, contents: Contents, symbols: Symbols, *, caption: str) -> Scene:
    """Discs in an upright frame; a person points at columns."""
    left, top = _at(rows, rows - 1, 0)
    shapes = [Shape("rect", [left, top, CELL * columns, CELL * rows], fill="frame")]
    for r in range(rows):
        for c in range(columns):
            x, y = _at(rows, r, c)
            shapes.append(Shape("ellipse", [x + CELL / 2, y + CELL / 2, 0.4 * CELL, 0.4 * CELL], fill="hole"))
    scene = _scene(rows, columns, contents, symbols, shapes, caption)
    spots = {}
    for c in range(columns):
        name = chr(ord("a") + c)
        spots[name] = Spot(left + CELL * c, top, CELL, CELL * rows, f"column {name}")
    return Scene(
        scene.width, scene.height, shapes=scene.shapes, symbols=scene.symbols, pieces=scene.pieces, spots=spots, caption=caption
    )


def hex_scene(side: int, contents: Contents, symbols: Symbols, *, caption: str, colours: tuple[str, str]) -> Scene:
    """Hexagons in rows that are shifted by half a cell; the first role's edges are below and above, the other's at the sides."""
    wide, high = CELL, CELL * 0.866
    margin = CELL * 0.9

    def middle(row: int, column: int) -> tuple[float, float]:
        # each row is shifted to the right against the one below it by half a cell
        return margin + wide * (column + 0.5 * row + 0.5), margin + high * (side - 1 - row + 0.5)

    def corners(row: int, column: int) -> list[float]:
        x, y = middle(row, column)
        a, b, c = wide / 2, high * 0.333, high * 0.667
        return [x, y - c, x + a, y - b, x + a, y + b, x, y + c, x - a, y + b, x - a, y - b]

    shapes: list[Shape] = []
    last = side - 1
    for i in range(side):  # edges lie under the cells: each is drawn twice, thick first
        for row, column, picks, colour in (
            (0, i, (8, 9, 6, 7, 4, 5), colours[0]),
            (last, i, (10, 11, 0, 1, 2, 3), colours[0]),
            (i, 0, (0, 1, 10, 11, 8, 9, 6, 7), colours[1]),
            (i, last, (0, 1, 2, 3, 4, 5, 6, 7), colours[1]),
        ):
            at = corners(row, column)
            shapes.append(Shape("line", [at[p] for p in picks], stroke=colour, width=9.0))
    for row in range(side):
        for column in range(side):
            shapes.append(Shape("polygon", corners(row, column), fill="board", stroke="line", width=1.2))
    for i in range(side):
        x, y = middle(0, i)
        shapes.append(Shape("text", [x, y + high * 1.15], fill="muted", text=chr(ord("a") + i), size=12.0))
        x, y = middle(i, 0)
        shapes.append(Shape("text", [x - wide * 0.95, y], fill="muted", text=str(i + 1), size=12.0))
    pieces, spots = [], {}
    for row in range(side):
        for column in range(side):
            x, y = middle(row, column)
            name = cell_name(row, column)
            spots[name] = Spot(x - wide * 0.42, y - high * 0.48, wide * 0.84, high * 0.96, name)
            if contents(row, column) >= 0:
                pieces.append(Piece(str(contents(row, column)), x - wide / 2, y - wide / 2, wide))
    return Scene(
        2 * margin + wide * (1.5 * side - 0.5),
        2 * margin + high * side,
        shapes=shapes,
        symbols={str(role): drawing for role, drawing in enumerate(symbols)},
        pieces=pieces,
        spots=spots,
        caption=caption,
    )
