"""A state of facts as text for a person."""

from __future__ import annotations

__all__ = ["draw_fluents"]


def draw_fluents(fluents: list[str]) -> str:
    """The facts, one a line."""
    return "\n".join(fluents)
