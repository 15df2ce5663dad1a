"""How sprites look: a colour and a shape for every type, from the words of its description.

The colour is the one that `color` names; a type without one gets a colour of its own that depends on its name only. The
shape follows from the class. Pictures that a description names (`img`) are not used.
"""

from __future__ import annotations

import colorsys
import zlib
from dataclasses import dataclass

from paidia.games.vgdl.engine.game import VgdlGame, VgdlState
from paidia.games.vgdl.language.ontology import SPRITE_CLASSES, is_a

__all__ = ["COLOURS", "Look", "looks_of", "visible"]

Colour = tuple[int, int, int]

COLOURS: dict[str, Colour] = {
    "GREEN": (60, 170, 70),
    "BLUE": (50, 90, 210),
    "RED": (210, 50, 50),
    "GRAY": (125, 125, 130),
    "WHITE": (245, 245, 245),
    "BROWN": (135, 90, 50),
    "BLACK": (25, 25, 30),
    "ORANGE": (240, 140, 30),
    "YELLOW": (245, 220, 50),
    "PINK": (245, 130, 180),
    "GOLD": (220, 175, 30),
    "PURPLE": (130, 70, 170),
    "LIGHTRED": (245, 140, 130),
    "LIGHTORANGE": (250, 200, 130),
    "LIGHTBLUE": (150, 200, 245),
    "LIGHTGREEN": (170, 225, 160),
    "LIGHTYELLOW": (252, 244, 190),
    "LIGHTGRAY": (205, 205, 210),
    "LIGHTPINK": (250, 195, 215),
    "DARKGRAY": (75, 75, 80),
    "DARKBLUE": (25, 40, 110),
    "DARKGREEN": (25, 95, 45),
    "DARKRED": (130, 25, 30),
}

#: first class that fits gives the shape
SHAPES = (
    ("MovingAvatar", "figure"),
    ("Resource", "diamond"),
    ("Door", "arch"),
    ("Portal", "arch"),
    ("Missile", "arrow"),
    ("RandomNPC", "creature"),
    ("Bomber", "creature"),
    ("RandomBomber", "creature"),
    ("Walker", "creature"),
    ("SpawnPoint", "arch"),
    ("Flicker", "star"),
    ("Passive", "box"),
    ("Immovable", "square"),
)


@dataclass(frozen=True, slots=True)
class Look:
    """Colour and shape of a sprite type; a background fills its cell and lies below everything."""

    name: str
    colour: Colour
    shape: str
    background: bool = False


def looks_of(game: VgdlGame) -> list[Look | None]:
    """The look of every type of a game, None for those that are never drawn."""
    found: list[Look | None] = []
    for type_ in game.tables.description.types:
        words = {key: value[0] for key, value in type_.parameters.items()}
        if type_.cls not in SPRITE_CLASSES or words.get("invisible", "").lower() == "true":
            found.append(None)
            continue
        shape = next((shape for cls, shape in SHAPES if is_a(type_.cls, cls)), "square")
        hidden = words.get("hidden", "").lower() == "true"
        colour = COLOURS.get(words.get("color", "")) or _own_colour(type_.name)
        found.append(Look(type_.name, colour, shape, background=hidden and shape == "square"))
    return found


def _own_colour(name: str) -> Colour:
    number = zlib.crc32(name.encode())
    red, green, blue = colorsys.hls_to_rgb(number % 360 / 360, 0.45 + number // 360 % 3 * 0.1, 0.55)
    return round(255 * red), round(255 * green), round(255 * blue)


def visible(state: VgdlState, looks: list[Look | None]) -> list[tuple[Look, int, int, int]]:
    """What is to be drawn, the lowest first: (look, type, x, y), in pixels of the game."""
    order = state.game.tables.order
    shown = [(look, type_) for type_ in order if (look := looks[type_]) is not None]
    shown.sort(key=lambda entry: not entry[0].background)
    avatar = state.avatar()
    return [
        (look, type_, x, y)
        for look, type_ in shown
        for _, x, y, _ in state.group(type_)
        if not (look.shape == "figure" and not state.alive and avatar and avatar[3] == type_)
    ]
