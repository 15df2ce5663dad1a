"""Situations as arrays of colours, for environments that are filmed: boards from their planes, video games from their sprites."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paidia.core.errors import BadInput
from paidia.core.model import Situation

__all__ = ["pixels"]

CELL = 32
PAPER, LINE, INK = (236, 224, 200), (150, 130, 100), (20, 20, 25)
PIECES = ((196, 44, 44), (40, 70, 160))


def pixels(state: Situation) -> NDArray[np.uint8]:
    """The picture of a situation, height x width x 3."""
    from paidia.games.vgdl.engine.game import VgdlState

    if isinstance(state, VgdlState):
        from paidia.games.vgdl.views.looks import looks_of
        from paidia.report.drawing.frames import image

        return np.asarray(image(state, looks_of(state.game)))
    shape = state.game.observation_shape
    drawn = _board(state, shape) if shape is not None and len(shape) == 3 else _text(state.draw())
    return np.asarray(drawn, np.uint8)


def _canvas(width: int, height: int) -> tuple[Any, Any]:
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        raise BadInput("pictures need Pillow: pip install 'paidia[report]'") from None
    picture = Image.new("RGB", (width, height), PAPER)
    return picture, ImageDraw.Draw(picture)


def _board(state: Situation, shape: tuple[int, ...]) -> Any:
    """Cells with a disc for each piece; row 1 at the bottom. The rows of hex are shifted as its drawing shows them."""
    rows, columns = shape[:2]
    planes = np.empty(shape, np.uint8)
    state.observe(planes)
    shift = CELL // 2 if state.game.id.startswith("hex") else 0
    picture, pen = _canvas(columns * CELL + (rows - 1) * shift, rows * CELL)
    for row in range(rows):
        for column in range(columns):
            x, y = column * CELL + row * shift, (rows - 1 - row) * CELL
            pen.rectangle((x, y, x + CELL - 1, y + CELL - 1), outline=LINE)
            for role, colour in enumerate(PIECES):
                if planes[row, column, role]:
                    pen.ellipse((x + 4, y + 4, x + CELL - 5, y + CELL - 5), fill=colour, outline=INK)
    return picture


def _text(text: str) -> Any:
    lines = text.splitlines() or [""]
    picture, pen = _canvas(8 + 8 * max(map(len, lines)), 8 + 16 * len(lines))
    for number, line in enumerate(lines):
        pen.text((4, 4 + 16 * number), line, fill=INK)
    return picture
