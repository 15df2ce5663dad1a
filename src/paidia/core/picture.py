"""A situation as a picture: one description, from which the page in the browser, notebooks, reports and PNG files draw.

A `Scene` is plain data in a plane with y downwards: shapes, symbols (drawings in a square of side 1) and where they stand,
and the spots that a person can point at. Colours are names of `COLOURS`, which a page may give other values in the dark, or
`#rrggbb`. Nothing in a scene is markup: text stays text wherever it is drawn.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from html import escape

import msgspec

__all__ = ["COLOURS", "FONT", "Piece", "Scene", "Shape", "Spot", "cells_in", "svg", "text_scene"]

#: Colour names. Those of pieces are told apart by people who see few colours (after Okabe and Ito), and by lightness.
COLOURS = {
    "paper": "#ffffff",
    "ink": "#1b1d21",
    "muted": "#6b7078",
    "board": "#ecdcc0",
    "shade": "#d3b98f",
    "wood": "#e4bf7d",
    "frame": "#2f5d9b",
    "hole": "#f4f6fa",
    "line": "#8a7656",
    "wall": "#4a4038",
    "mark": "#c2410c",
    "white": "#fbfbf8",
    "black": "#26282c",
    "red": "#d55e00",
    "blue": "#0072b2",
    "green": "#009e73",
    "yellow": "#f2dc30",
    "magenta": "#cc79a7",
    "teal": "#56b4e9",
    "orange": "#e69f00",
    "purple": "#6a51a3",
    "gray": "#9aa0a8",
    "brown": "#8c5a2b",
}

#: One family for all text in pictures.
FONT = "system-ui, sans-serif"
MONOSPACE = "ui-monospace, monospace"


class Shape(msgspec.Struct, frozen=True, omit_defaults=True):
    """One mark.

    Attributes:
        kind: "rect" (x, y, width, height), "ellipse" (centre, radii), "polygon" or "line" (points), "text" (its middle).
        at: Its numbers.
        fill: Colour inside, "" for none.
        stroke: Colour of the outline, "" for none.
        width: Of the outline.
        text: What a text says.
        size: Height of a text.
        start: The text begins at its place instead of having its middle there, in letters of equal width.
    """

    kind: str
    at: list[float]
    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    text: str = ""
    size: float = 0.0
    start: bool = False


class Piece(msgspec.Struct, frozen=True, array_like=True):
    """A symbol at its place: name, upper left corner, side."""

    symbol: str
    x: float
    y: float
    size: float


class Spot(msgspec.Struct, frozen=True, array_like=True):
    """A place that a person can point at: upper left corner, size, and what a screen reader calls it."""

    x: float
    y: float
    width: float
    height: float
    label: str


class Scene(msgspec.Struct, frozen=True, omit_defaults=True):
    """A picture.

    Attributes:
        width: Of the plane.
        height: Of the plane.
        shapes: What lies below, the lowest first.
        symbols: Drawings in a square of side 1, by name.
        pieces: Where they stand, over the shapes.
        over: Shapes over the pieces.
        spots: Places to point at, by id.
        caption: One line: whose turn it is, or that the game is over.
        notes: What else is to be known, short.
    """

    width: float
    height: float
    shapes: list[Shape] = []
    symbols: dict[str, list[Shape]] = {}
    pieces: list[Piece] = []
    over: list[Shape] = []
    spots: dict[str, Spot] = {}
    caption: str = ""
    notes: list[str] = []


_CELL = re.compile(r"[a-z]\d{1,2}")


def cells_in(name: str) -> list[str]:
    """The cells that the name of a move speaks of: b2 and b3 of `b2b3`."""
    return _CELL.findall(name)


def text_scene(text: str, *, caption: str = "") -> Scene:
    """Lines of text as a picture, for games that have no other."""
    lines = text.splitlines() or [""]
    width, height, margin = 9.6, 19.0, 8.0
    shapes = [
        Shape("text", [margin, margin + height * (i + 0.5)], fill="ink", text=line, size=16.0, start=True)
        for i, line in enumerate(lines)
        if line.strip()
    ]
    longest = max(len(line) for line in lines)
    return Scene(longest * width + 2 * margin, len(lines) * height + 2 * margin, shapes=shapes, caption=caption)


def svg(scene: Scene, *, captions: bool = True) -> str:
    """A scene as SVG text, with its caption and notes below it."""
    size = max(11.0, min(15.0, scene.width / 24))
    below = [scene.caption, *_lines(scene.notes, int(scene.width / (0.62 * size)) - 1)] if captions else []
    below = [line for line in below if line]
    step = size * 1.5
    own = f"p{zlib.crc32(msgspec.json.encode(scene.symbols)):08x}"  # ids of a page with several pictures must differ
    height = scene.height + step * len(below) + (step * 0.5 if below else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(scene.width)}" height="{_n(height)}" '
        f'viewBox="0 0 {_n(scene.width)} {_n(height)}">',
        f'<rect width="100%" height="100%" fill="{COLOURS["paper"]}"/>',
    ]
    used = {piece.symbol for piece in scene.pieces}
    if used:
        drawn = (
            f'<symbol id="{own}-{number}" viewBox="0 0 1 1" overflow="visible">{"".join(map(_svg, shapes))}</symbol>'
            for number, (name, shapes) in enumerate(scene.symbols.items())
            if name in used
        )
        parts.append(f"<defs>{''.join(drawn)}</defs>")
    numbers = {name: number for number, name in enumerate(scene.symbols)}
    parts += [_svg(shape) for shape in scene.shapes]
    parts += [
        f'<use href="#{own}-{numbers[p.symbol]}" x="{_n(p.x)}" y="{_n(p.y)}" width="{_n(p.size)}" height="{_n(p.size)}"/>'
        for p in scene.pieces
    ]
    parts += [_svg(shape) for shape in scene.over]
    for number, line in enumerate(below):
        at = [step / 2, scene.height + step * (number + 0.6)]
        parts.append(_svg(Shape("text", at, fill="ink" if number == 0 else "muted", text=line, size=size, start=True)))
    return "".join([*parts, "</svg>"])


def _lines(notes: Iterable[str], most: int) -> list[str]:
    """Notes side by side, as many as fit into a line."""
    lines: list[str] = []
    for note in notes:
        if lines and len(lines[-1]) + len(note) + 3 <= most:
            lines[-1] += f" · {note}"
        else:
            lines.append(note)
    return lines


def _n(value: float) -> str:
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:.1f}"


def _svg(shape: Shape) -> str:
    look = f' fill="{_colour(shape.fill)}"'
    if shape.stroke:
        look += f' stroke="{_colour(shape.stroke)}" stroke-width="{_n(shape.width)}"'
        if shape.kind in ("line", "polygon"):
            look += ' stroke-linecap="round" stroke-linejoin="round"'
    at = [_n(value) for value in shape.at]
    if shape.kind == "rect":
        return f'<rect x="{at[0]}" y="{at[1]}" width="{at[2]}" height="{at[3]}"{look}/>'
    if shape.kind == "ellipse":
        return f'<ellipse cx="{at[0]}" cy="{at[1]}" rx="{at[2]}" ry="{at[3]}"{look}/>'
    if shape.kind == "text":
        family = f'{MONOSPACE}" xml:space="preserve' if shape.start else f'{FONT}" text-anchor="middle'
        y = _n(shape.at[1] + shape.size * 0.35)  # not every program knows dominant-baseline
        return f'<text x="{at[0]}" y="{y}" font-size="{_n(shape.size)}" font-family="{family}"{look}>{escape(shape.text)}</text>'
    points = " ".join(f"{x},{y}" for x, y in zip(at[::2], at[1::2], strict=True))
    return f'<{"polyline" if shape.kind == "line" else "polygon"} points="{points}"{look}/>'


def _colour(name: str) -> str:
    return COLOURS.get(name, name if re.fullmatch(r"#[0-9a-fA-F]{6}", name) else "none")
