"""Searches, and the strategies of each phase of the tree search, by name; each file registers its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paidia.core.errors import BadInput, did_you_mean
from paidia.core.registry import Registry

__all__ = [
    "BACKUPS",
    "EVALUATIONS",
    "FINAL_MOVES",
    "PLAYOUTS",
    "PRUNINGS",
    "REPAIRS",
    "ROOTS",
    "SEARCHES",
    "SELECTIONS",
    "make_strategy",
]

#: name -> subclass of `search.search.Search`
SEARCHES: Registry[Any] = Registry("search", package="paidia.search.planners")

SELECTIONS: Registry[Callable[..., Any]] = Registry("selection strategy", package="paidia.search.selection")
PLAYOUTS: Registry[Callable[..., Any]] = Registry("playout strategy", package="paidia.search.playout")
BACKUPS: Registry[Callable[..., Any]] = Registry("backup strategy", package="paidia.search.backup")
EVALUATIONS: Registry[Callable[..., Any]] = Registry("evaluation strategy", package="paidia.search.evaluation")
PRUNINGS: Registry[Callable[..., Any]] = Registry("pruning strategy", package="paidia.search.pruning")
ROOTS: Registry[Callable[..., Any]] = Registry("root strategy", package="paidia.search.root")
REPAIRS: Registry[Callable[..., Any]] = Registry("repair strategy", package="paidia.search.repair")
FINAL_MOVES: Registry[Callable[..., Any]] = Registry("final move strategy", package="paidia.search.final_move")


def make_strategy(registry: Registry[Callable[..., Any]], name: str, options: dict[str, Any]) -> Any:
    """Build the strategy `name` with its options; an unknown option is an error that names the nearest valid one."""
    kind = registry[name]
    valid: tuple[str, ...] = kind.options  # type: ignore[attr-defined]
    for option in options:
        if option not in valid:
            hint = did_you_mean(option, valid, otherwise=f"it has {', '.join(valid) or 'none'}")
            raise BadInput(f"{registry.kind} {name!r} has no option {option!r}; {hint}")
    try:
        return kind(**options)
    except (TypeError, ValueError, OverflowError) as error:
        raise BadInput(f"{registry.kind} {name!r}: {error}") from None
