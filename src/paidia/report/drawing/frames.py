"""Video games as pictures: a state as SVG or PNG, a game as GIF or a folder of frames.

Every sprite is a few plain shapes in the colour of its type (see `games.vgdl.views.looks`), so nothing but the description is
needed to draw it. Cells have a fixed size in the picture, whatever the block size of the game.
"""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import Any

from paidia.core.errors import BadInput
from paidia.core.files import replacing
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState
from paidia.games.vgdl.views.looks import Colour, Look, looks_of, visible
from paidia.games.vgdl.views.pictures import Mark, marks

__all__ = ["Film", "save_frame", "svg_frame"]

CELL = 24
PAPER: Colour = (235, 235, 230)
GIF_TICK = 90  # milliseconds per tick
MAX_GIF_TICKS = 1_000


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
            with replacing(file, lasting=False) as fresh:  # a film has thousands
                fresh.write_text(svg_frame(state, looks), encoding="utf-8")
        elif file.suffix == ".png":
            with replacing(file, lasting=False) as fresh:
                image(state, looks).save(fresh)
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
            with replacing(self.target) as fresh:
                first.save(fresh, save_all=True, append_images=others, duration=GIF_TICK, loop=0)
        except OSError as error:
            raise BadInput(f"cannot write {self.target}: {error}") from None
