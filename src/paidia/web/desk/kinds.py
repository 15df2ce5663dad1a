"""The kinds of desks by name; what one needs is imported when it is opened."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from paidia.web.desk.post import Post

__all__ = ["KINDS", "Desk", "desk_of"]


class Desk(Protocol):
    """Something that works on letters until there are no more."""

    def work(self, letter: dict[str, Any]) -> None:
        """Begin with this letter."""


#: kind -> module beside this one, and its class
KINDS = {
    "catalogue": ("catalogue", "CatalogueDesk"),
    "table": ("table", "TableDesk"),
    "rules": ("rules", "RulesDesk"),
    "lab": ("lab", "LabDesk"),
}


def desk_of(kind: str) -> Callable[[Post, Path, list[Path]], Desk] | None:
    """The class of a kind of desk."""
    if kind not in KINDS:
        return None
    module, name = KINDS[kind]
    found: Callable[[Post, Path, list[Path]], Desk] = getattr(importlib.import_module(f"paidia.web.desk.{module}"), name)
    return found
