"""Questions about the words of VGDL: which there are, what parameters each takes, what a sprite class inherits.

The words are those that the engine declares (see `words`); what all of them share stands here.
"""

from __future__ import annotations

import paidia.games.vgdl.engine.kernel  # noqa: F401  loading it declares the words
from paidia.games.vgdl.language.words import EFFECTS, SPRITE_CLASSES, TERMINATIONS, Dir, Parameter

__all__ = [
    "COLOURS",
    "COMMON",
    "DIRECTIONS",
    "DRAWING",
    "EFFECTS",
    "EFFECT_COMMON",
    "SPRITE_CLASSES",
    "TERMINATIONS",
    "Dir",
    "actions_of",
    "attributes_of",
    "has",
    "is_a",
    "lineage",
]

DIRECTIONS = {
    "UP": Dir(0, -1),
    "DOWN": Dir(0, 1),
    "LEFT": Dir(-1, 0),
    "RIGHT": Dir(1, 0),
    "NONE": Dir(0, 0),
    "NIL": Dir(-1, -1),
}
DIRECTIONS |= {"D" + name: direction for name, direction in DIRECTIONS.items()}

# A colour name given where a text is expected is dropped, so the names have to be known.
COLOURS = frozenset(
    {
        "GREEN",
        "BLUE",
        "RED",
        "GRAY",
        "WHITE",
        "BROWN",
        "BLACK",
        "ORANGE",
        "YELLOW",
        "PINK",
        "GOLD",
        "PURPLE",
        "LIGHTRED",
        "LIGHTORANGE",
        "LIGHTBLUE",
        "LIGHTGREEN",
        "LIGHTYELLOW",
        "LIGHTGRAY",
        "LIGHTPINK",
        "DARKGRAY",
        "DARKBLUE",
        "DARKGREEN",
        "DARKRED",
    }
)

# Parameters of every sprite class.
COMMON: dict[str, Parameter] = {
    "speed": ("real", 0.0),
    "cooldown": ("int", 0),
    "orientation": ("dir", Dir(0, 0)),
    "is_oriented": ("bool", False),
    "rotateInPlace": ("bool", False),
    "is_static": ("bool", False),
    "only_active": ("bool", False),
    "stationary": ("bool", False),
    "physicstype": ("int", 0),
    "mass": ("real", 1.0),
    "gravity": ("real", 0.0),
    "friction": ("real", 0.0),
    "max_speed": ("real", -1.0),
    "jump_strength": ("real", 0.0),
    "solid": ("bool", False),
    "portal": ("bool", False),
    "hidden": ("truth", ""),
    "healthPoints": ("int", 0),
    "maxHealthPoints": ("int", 0),
    "limitHealthPoints": ("int", 1000),
    "timeToLive": ("int", -1),
    "wMult": ("real", 1.0),
    "hMult": ("real", 1.0),
}

# Parameters that change only how a sprite looks, or that are read elsewhere.
DRAWING = frozenset(
    {
        "img",
        "orientedImg",
        "color",
        "shrinkfactor",
        "frameRate",
        "autotiling",
        "randomtiling",
        "draw_arrow",
        "invisible",
        "singleton",
    }
)

# Parameters of every effect.
EFFECT_COMMON: dict[str, Parameter] = {
    "scoreChange": ("score", "0"),
    "repeat": ("int", 1),
    "timer": ("int", -1),
    "nextExecution": ("int", -1),
    "repeating": ("bool", False),
}


def lineage(name: str) -> list[str]:
    """A sprite class and its parents, the class itself last."""
    chain = [name]
    while SPRITE_CLASSES[chain[0]].parent:
        chain.insert(0, SPRITE_CLASSES[chain[0]].parent)
    return chain


def is_a(name: str, ancestor: str) -> bool:
    """Whether sprite class `name` is `ancestor` or derived from it."""
    return ancestor in lineage(name)


def has(name: str, trait: str) -> bool:
    """Whether a sprite class has a trait (a field of `SpriteClass` that may be None), its own or its nearest parent's."""
    stated = (getattr(SPRITE_CLASSES[link], trait) for link in reversed(lineage(name)))
    return next((value for value in stated if value is not None), False)


def actions_of(name: str) -> tuple[str, ...]:
    """The actions of an avatar class; none for all others."""
    return next((found for link in reversed(lineage(name)) if (found := SPRITE_CLASSES[link].actions)), ())


def attributes_of(name: str) -> dict[str, Parameter]:
    """Every parameter a sprite class accepts, with its type and default in that class."""
    found = dict(COMMON)
    for cls in (SPRITE_CLASSES[link] for link in lineage(name)):
        found |= cls.parameters
        for key, value in cls.defaults.items():
            found[key] = (found[key][0], value)
    return found
