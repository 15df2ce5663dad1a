"""The searches for video games by name; each file registers its own."""

from __future__ import annotations

from typing import Any

from paidia.core.registry import Registry

__all__ = ["ARCADE_SEARCHES"]

#: name -> subclass of `search.arcade.base.ArcadeSearch`
ARCADE_SEARCHES: Registry[Any] = Registry(
    "search for video games", package=("paidia.search.arcade", "paidia.search.width", "paidia.search.evolution")
)
