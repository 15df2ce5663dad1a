"""Video games as pictures: every sprite is a few plain shapes in the colour of its type, so nothing but the description is
needed to draw it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from paidia.core.picture import Piece, Scene, Shape
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState
from paidia.games.vgdl.views.looks import Colour, Look, looks_of, visible

__all__ = ["PAPER", "Mark", "frame_scene", "marks", "picture_looks"]

PAPER = "#ebebe6"
INK: Colour = (20, 20, 25)
CELL = 24.0

#: ("polygon", points) or ("ellipse", [corner, corner]), in parts of a cell, with a colour
Mark = tuple[str, list[tuple[float, float]], Colour]


def marks(look: Look, facing: tuple[float, float]) -> list[Mark]:
    """The marks that draw one sprite; `facing` is where an avatar looks."""
    return _DRAW[look.shape](look.colour, facing)


def _square(colour: Colour, facing: tuple[float, float]) -> list[Mark]:
    return [("polygon", [(0, 0), (1, 0), (1, 1), (0, 1)], colour)]


def _box(colour: Colour, facing: tuple[float, float]) -> list[Mark]:
    outer = [(0.05, 0.05), (0.95, 0.05), (0.95, 0.95), (0.05, 0.95)]
    inner = [(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)]
    return [("polygon", outer, _shade(colour, 0.7)), ("polygon", inner, colour)]


def _diamond(colour: Colour, facing: tuple[float, float]) -> list[Mark]:
    outer = [(0.5, 0.1), (0.9, 0.5), (0.5, 0.9), (0.1, 0.5)]
    return [("polygon", outer, _shade(colour, 0.7)), ("polygon", [(0.5, 0.22), (0.78, 0.5), (0.5, 0.78), (0.22, 0.5)], colour)]


def _arch(colour: Colour, facing: tuple[float, float]) -> list[Mark]:
    return [
        ("polygon", [(0.1, 1), (0.1, 0.35), (0.3, 0.08), (0.7, 0.08), (0.9, 0.35), (0.9, 1)], colour),
        ("polygon", [(0.3, 1), (0.3, 0.45), (0.4, 0.3), (0.6, 0.3), (0.7, 0.45), (0.7, 1)], _shade(colour, 0.4)),
    ]


def _arrow(colour: Colour, facing: tuple[float, float]) -> list[Mark]:
    return [
        ("ellipse", [(0.2, 0.2), (0.8, 0.8)], _shade(colour, 0.6)),
        ("ellipse", [(0.28, 0.28), (0.72, 0.72)], colour),
    ]


def _creature(colour: Colour, facing: tuple[float, float]) -> list[Mark]:
    body = [(0.12, 0.9), (0.12, 0.4), (0.3, 0.12), (0.7, 0.12), (0.88, 0.4), (0.88, 0.9), (0.7, 0.75), (0.5, 0.9), (0.3, 0.75)]
    return [("polygon", body, colour), *_eyes((0, 0.0))]


def _star(colour: Colour, facing: tuple[float, float]) -> list[Mark]:
    points = [(0.5, 0.05), (0.6, 0.4), (0.95, 0.5), (0.6, 0.6), (0.5, 0.95), (0.4, 0.6), (0.05, 0.5), (0.4, 0.4)]
    return [("polygon", points, colour)]


def _figure(colour: Colour, facing: tuple[float, float]) -> list[Mark]:
    return [("ellipse", [(0.06, 0.06), (0.94, 0.94)], INK), ("ellipse", [(0.12, 0.12), (0.88, 0.88)], colour), *_eyes(facing)]


def _eyes(facing: tuple[float, float]) -> list[Mark]:
    dx, dy = 0.05 * facing[0], 0.05 * facing[1]
    found: list[Mark] = []
    for x in (0.36, 0.64):
        found.append(("ellipse", [(x - 0.11, 0.29), (x + 0.11, 0.51)], (250, 250, 250)))
        found.append(("ellipse", [(x + dx - 0.05, 0.35 + dy), (x + dx + 0.05, 0.45 + dy)], INK))
    return found


def _shade(colour: Colour, part: float) -> Colour:
    return round(colour[0] * part), round(colour[1] * part), round(colour[2] * part)


_DRAW: dict[str, Callable[[Colour, tuple[float, float]], list[Mark]]] = {
    "square": _square,
    "box": _box,
    "diamond": _diamond,
    "arch": _arch,
    "arrow": _arrow,
    "creature": _creature,
    "star": _star,
    "figure": _figure,
}


_looks: OrderedDict[int, tuple[VgdlGame, list[Look | None]]] = OrderedDict()


def picture_looks(game: VgdlGame) -> list[Look | None]:
    """The looks of a game's types: read once, as long as few other games are looked at."""
    found = _looks.get(id(game))
    if found is None or found[0] is not game:
        found = _looks[id(game)] = game, looks_of(game)
        while len(_looks) > 8:
            _looks.popitem(last=False)
    return found[1]


def _hex(colour: Colour) -> str:
    return f"#{colour[0]:02x}{colour[1]:02x}{colour[2]:02x}"


def _shape(mark: Mark) -> Shape:
    kind, points, colour = mark
    if kind == "polygon":
        return Shape("polygon", [round(value, 3) for point in points for value in point], fill=_hex(colour))
    (left, top), (right, bottom) = points
    at = [(left + right) / 2, (top + bottom) / 2, (right - left) / 2, (bottom - top) / 2]
    return Shape("ellipse", [round(value, 3) for value in at], fill=_hex(colour))


def frame_scene(state: VgdlState, *, symbols: bool = True) -> Scene:
    """A tick as a scene, with what its symbols look like if wanted (they are the same in all ticks with the same names)."""
    game = state.game
    avatar = state.avatar()
    facing = avatar[1] if avatar else (0.0, 0.0)
    scale = CELL / game.block
    pieces, drawings = [], {}
    for look, type_, x, y in visible(state, picture_looks(game)):
        name = str(type_) if look.shape != "figure" else f"{type_}@{facing[0]:.0f},{facing[1]:.0f}"
        if symbols and name not in drawings:
            drawings[name] = [_shape(mark) for mark in marks(look, facing)]
        pieces.append(Piece(name, x * scale, y * scale, CELL))
    width, height = CELL * game.width, CELL * game.height
    ended = {1: "won", 0: "lost", -1: "lost"}.get(state.winner, "over") if state.terminal else "running"
    return Scene(
        width,
        height,
        shapes=[Shape("rect", [0, 0, width, height], fill=PAPER)],
        symbols=drawings,
        pieces=pieces,
        caption=f"tick {state.tick}, score {state.score:g}, {ended}",
    )
