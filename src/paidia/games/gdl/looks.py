"""How the things on the board of a GDL game look: colour and kind are guessed from names, which only pictures rely on."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

from paidia.core.picture import Shape
from paidia.games.pieces import MEN, cross, disc, man, ring, tile

__all__ = ["colour_of", "symbol_of"]

_COLOURS = ("white", "black", "red", "blue", "green", "yellow", "magenta", "teal", "orange", "purple", "gray", "brown")
_MEANT = {"light": "white", "dark": "black", "grey": "gray", "pink": "magenta", "cyan": "teal", "violet": "purple"}
_INITIALS = {"w": "white", "b": "black", "r": "red", "g": "green", "y": "yellow", "n": "blue", "s": "orange"}
_OTHERS = ("blue", "red", "green", "orange", "purple", "teal", "magenta", "brown")
_MAN = {"p": "", "k": "K", "q": "Q", "n": "N"}  # the second letter of wp, bk: a man, or a king, ...


def colour_of(name: str, roles: Sequence[str]) -> str:
    """The colour of whatever is called so: a colour in its name, or one of the role that its name has in it."""
    lower = name.lower()
    for word in (*_COLOURS, *_MEANT):
        if word in lower:
            return _MEANT.get(word, word)
    for number, role in enumerate(roles):
        if lower == role.lower() or lower.startswith(role.lower()):
            return _role_colour(number, role)
    if re.fullmatch(r"[wbrgy][a-z]?", lower):
        return _INITIALS[lower[0]]
    if re.fullmatch(r"[ns][a-z]", lower) and {role[:1].lower() for role in roles} >= {"n", "s"}:
        return _INITIALS[lower[0]]
    return _OTHERS[zlib.crc32(lower.encode()) % len(_OTHERS)]


def _role_colour(number: int, role: str) -> str:
    initial = role[:1].lower()
    return {"x": "blue", "o": "red", "z": "green"}.get(initial) or _OTHERS[number % len(_OTHERS)]


def symbol_of(name: str, roles: Sequence[str]) -> list[Shape]:
    """The drawing of whatever is called so."""
    lower = name.lower()
    if lower in ("x", "xplayer"):
        return cross("blue")
    if lower in ("o", "oplayer"):
        return ring("red")
    kind = next((kind for kind in MEN if kind in lower), "")
    colour = colour_of(name, roles)
    if kind:
        return man(kind, colour)
    if re.fullmatch(r"[\d ]{1,3}", name):
        return tile("board", name.strip(), text="ink")
    if lower in ("arrow", "wall", "v", "block", "blk", "visited"):
        return tile("wall")
    plain = lower in _COLOURS or lower in _MEANT or lower in {role.lower() for role in roles}
    if plain or any(word in lower for word in ("disc", "checker", "stone", "peg", "pawn")):
        return disc(colour)
    if re.fullmatch(r"[wbrygns][pkqn]", lower):
        return disc(colour, _MAN[lower[1]])
    if re.fullmatch(r"[wbrgy]", lower):
        return disc(colour)
    words = name.split()
    number = next((word for word in words if word.isdecimal()), "")
    if number and len(words) > 1:  # a die of some colour
        return disc(colour_of(" ".join(word for word in words if word != number), roles), number)
    return disc(colour, name if len(name) <= 3 else name[:2]) if len(name) < 5 else tile(colour, name[:8])
