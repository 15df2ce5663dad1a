"""Video games as pictures: a state as SVG or PNG, a game as GIF or a folder of frames.

Every sprite is a few plain shapes in the colour of its type (see `games.vgdl.views.looks`), so nothing but the description is
needed to draw it. Cells have a fixed size in the picture, whatever the block size of the game.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

from paidia.core.errors import BadInput
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState
from paidia.games.vgdl.views.looks import Colour, Look, looks_of, visible

__all__ = ["Film", "save_frame", "svg_frame"]

CELL = 24
PAPER: Colour = (235, 235, 230)
INK: Colour = (20, 20, 25)
GIF_TICK = 90  # milliseconds per tick
MAX_GIF_TICKS = 1_000

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


def scene(state: VgdlState, looks: list[Look | None]) -> list[Mark]:
    """All marks of a state in pixels of the picture, the lowest first."""
    avatar = state.avatar()
    facing = avatar[1] if avatar else (0.0, 0.0)
    scale = CELL / state.game.block
    return [
        (kind, [(x * scale + CELL * px, y * scale + CELL * py) for px, py in points], colour)
        for look, _, x, y in visible(state, looks)
        for kind, points, colour in marks(look, facing)
    ]


def svg_frame(state: VgdlState, looks: list[Look | None] | None = None) -> str:
    """A state as SVG text."""
    width, height = CELL * state.game.width, CELL * state.game.height
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f'<rect width="{width}" height="{height}" fill="rgb{PAPER}"/>',
    ]
    for kind, points, colour in scene(state, looks_of(state.game) if looks is None else looks):
        if kind == "polygon":
            lines.append(f'<polygon points="{" ".join(f"{x:g},{y:g}" for x, y in points)}" fill="rgb{colour}"/>')
        else:
            (left, top), (right, bottom) = points
            lines.append(
                f'<ellipse cx="{(left + right) / 2:g}" cy="{(top + bottom) / 2:g}" rx="{(right - left) / 2:g}" '
                f'ry="{(bottom - top) / 2:g}" fill="rgb{colour}"/>'
            )
    return "\n".join([*lines, "</svg>"]) + "\n"


def image(state: VgdlState, looks: list[Look | None]) -> Any:
    """A state as a Pillow image."""
    try:
        pillow, pen_of = importlib.import_module("PIL.Image"), importlib.import_module("PIL.ImageDraw")
    except ImportError:
        raise BadInput("PNG and GIF need Pillow: pip install 'paidia[report]', or write .svg") from None
    picture = pillow.new("RGB", (CELL * state.game.width, CELL * state.game.height), PAPER)
    pen = pen_of.Draw(picture)
    for kind, points, colour in scene(state, looks):
        (pen.polygon if kind == "polygon" else pen.ellipse)(points, fill=colour)
    return picture


def save_frame(state: VgdlState, file: Path) -> None:
    """Write a state as .svg or .png."""
    looks = looks_of(state.game)
    try:
        if file.suffix == ".svg":
            file.write_text(svg_frame(state, looks), encoding="utf-8")
        elif file.suffix == ".png":
            image(state, looks).save(file)
        else:
            raise BadInput(f"a frame is written as .svg or .png, not {file.name}")
    except OSError as error:
        raise BadInput(f"cannot write {file}: {error}") from None


class Film:
    """The ticks of a game as FILE.gif, or as 0000.png, 0001.png, ... in a folder (.svg where Pillow is not installed)."""

    def __init__(self, game: VgdlGame, target: Path) -> None:
        self.looks = looks_of(game)
        self.target = target
        self.gif = target.suffix == ".gif"
        self.pictures: list[Any] = []
        self.count = 0
        self.suffix = ".png" if importlib.util.find_spec("PIL") else ".svg"
        if self.gif:
            return
        if target.suffix:
            raise BadInput(f"frames go to a folder or to a .gif file, not {target.name}")
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"cannot make the folder {target}: {error}") from None

    def add(self, state: VgdlState) -> None:
        """One more frame. A GIF keeps the first `MAX_GIF_TICKS` only, because it is held in memory."""
        if self.gif:
            if self.count < MAX_GIF_TICKS:
                self.pictures.append(image(state, self.looks).quantize(64))
        else:
            save_frame(state, self.target / f"{self.count:04d}{self.suffix}")
        self.count += 1

    def close(self) -> None:
        """Write what has been collected."""
        if not self.pictures:
            return
        first, *others = self.pictures
        try:
            first.save(self.target, save_all=True, append_images=others, duration=GIF_TICK, loop=0)
        except OSError as error:
            raise BadInput(f"cannot write {self.target}: {error}") from None
