"""What single values of a description mean: truths, scores, sizes, categories."""

from __future__ import annotations

from collections.abc import Iterable

from paidia.core.arcade import CATEGORIES
from paidia.games.vgdl.language.ontology import SPRITE_CLASSES, is_a

__all__ = ["category", "combined", "is_resource", "size", "truth", "whole"]


def truth(text: str) -> bool:
    """A text that may be a comma list, one entry per player: ours is the first."""
    return text.partition(",")[0].strip().lower() == "true"


def whole(text: str) -> int:
    """A score: an integer, or 0 for anything else."""
    text = text.partition(",")[0].strip()
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
