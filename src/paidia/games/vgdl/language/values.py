"""What single values of a description mean: truths, scores, sizes, categories."""

from __future__ import annotations

from collections.abc import Iterable

from paidia.core.arcade import CATEGORIES
from paidia.games.vgdl.language.ontology import SPRITE_CLASSES, is_a

__all__ = ["category", "combined", "is_resource", "size", "truth", "whole"]


def entry(text: str, player: int) -> str:
    """A text that may be a comma list, one entry per player; the first counts for all who have none."""
    entries = text.split(",")
    return entries[player if player < len(entries) else 0].strip()


def truth(text: str, player: int = 0) -> bool:
    """Whether a text, or a player's entry in it, says true."""
    return entry(text, player).lower() == "true"


def whole(text: str, player: int = 0) -> int:
    """A score, or a player's entry in a list of them: an integer, or 0 for anything else."""
    text = entry(text, player)
    try:
        return max(-(2**30), min(2**30, int(text))) if len(text) < 12 else 0
    except ValueError:
        return 0


def is_resource(cls: str) -> bool:
    """Whether sprites of a class are collected rather than met."""
    return cls in SPRITE_CLASSES and is_a(cls, "Resource")


def size(block: int, factor: float) -> int:
    """A side of a sprite in pixels."""
    return max(1, min(int(block * factor), 1 << 14))


def category(cls: str, *, avatar: bool, portal: bool, npc: bool, static: bool) -> int:
    """The list in which an agent sees sprites of a type ("from_avatar" depends on the sprite)."""
    kinds = {"avatar": avatar, "resource": is_resource(cls), "portal": portal, "npc": npc, "immovable": static}
    return CATEGORIES.index(next((name for name, holds in kinds.items() if holds), "movable"))


def combined(bits: Iterable[int]) -> int:
    """The union of filter bits."""
    out = 0
    for bit in bits:
        out |= bit
    return out
