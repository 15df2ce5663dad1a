"""Pictures of situations as files: SVG, or PNG by Pillow; the same description that the page and notebooks draw."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from paidia.core.errors import BadInput
from paidia.core.files import replacing, write_text
from paidia.core.picture import COLOURS, Scene, Shape, svg

__all__ = ["save_scene", "scene_image"]


def save_scene(scene: Scene, file: Path, *, scale: float = 1.0) -> None:
    """Write a scene to FILE.svg or FILE.png."""
    if file.suffix not in (".svg", ".png"):
        raise BadInput(f"a picture is written to FILE.svg or FILE.png, not {file.name}")
    try:
        if file.suffix == ".svg":
            write_text(file, svg(scene))
        else:
            with replacing(file) as fresh:
                scene_image(scene, scale=scale).save(fresh)
    except OSError as error:
        raise BadInput(f"cannot write {file}: {error}") from None


def scene_image(scene: Scene, *, scale: float = 1.0) -> Any:
    """A scene as a Pillow image, drawn at twice its size and made smaller, which smooths its edges."""
    try:
        pillow, pen_of, fonts = (importlib.import_module(f"PIL.{name}") for name in ("Image", "ImageDraw", "ImageFont"))
    except ImportError:
        raise BadInput("PNG needs Pillow: pip install 'paidia[report]', or write .svg") from None
    fine = 2 * scale
    picture = pillow.new("RGB", (round(scene.width * fine), round(scene.height * fine)), COLOURS["paper"])
    pen = _Pen(pen_of.Draw(picture), fonts)
    for shape in scene.shapes:
        pen.draw(shape, 0.0, 0.0, fine)
    for piece in scene.pieces:
        for shape in scene.symbols[piece.symbol]:
            pen.draw(shape, piece.x * fine, piece.y * fine, piece.size * fine)
    for shape in scene.over:
        pen.draw(shape, 0.0, 0.0, fine)
    return picture.resize((round(scene.width * scale), round(scene.height * scale)), pillow.Resampling.LANCZOS)


class _Pen:
    def __init__(self, draw: Any, fonts: Any) -> None:
        self._draw, self._fonts = draw, fonts

    def draw(self, shape: Shape, x: float, y: float, scale: float) -> None:
        """One shape, moved and scaled."""
        fill, stroke = (COLOURS.get(name, name or None) for name in (shape.fill, shape.stroke))
        width = max(1, round(shape.width * scale)) if stroke else 0
        at = [value * scale + (y if i % 2 else x) for i, value in enumerate(shape.at)]
        if shape.kind == "text":
            font = self._fonts.load_default(max(1.0, shape.size * scale))
            self._draw.text((at[0], at[1]), shape.text, fill=fill, font=font, anchor="lm" if shape.start else "mm")
        elif shape.kind == "line":
            self._draw.line(at, fill=stroke, width=width, joint="curve")
        elif shape.kind == "polygon":
            self._draw.polygon(at, fill=fill)
            if stroke:
                self._draw.line([*at, at[0], at[1]], fill=stroke, width=width, joint="curve")
        else:
            across, up = shape.at[2] * scale, shape.at[3] * scale
            box = [at[0], at[1], at[0] + across, at[1] + up]
            if shape.kind == "ellipse":
                box = [at[0] - across, at[1] - up, at[0] + across, at[1] + up]
                self._draw.ellipse(box, fill=fill, outline=stroke, width=width)
            else:
                self._draw.rectangle(box, fill=fill, outline=stroke, width=width)
