"""Searches, and the strategies of each phase of the tree search, by name; each file registers its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paidia.core.errors import BadInput, did_you_mean
from paidia.core.loading.registry import Registry

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

#: entry points of installed packages
GROUP = "paidia.strategies"

#: name -> subclass of `search.search.Search`
SEARCHES: Registry[Any] = Registry(
    "search",
    package=("paidia.search.planners", *(f"paidia.search.planners.{room}" for room in ("widths", "foraging", "lines", "proofs"))),
    announced=GROUP,
)


def _strategies(kind: str, folder: str) -> Registry[Callable[..., Any]]:
    return Registry(kind, package=f"paidia.search.{folder}", announced=GROUP)


SELECTIONS = _strategies("selection strategy", "selection")
PLAYOUTS = _strategies("playout strategy", "playout")
BACKUPS = _strategies("backup strategy", "backup")
EVALUATIONS = _strategies("evaluation strategy", "evaluation")
PRUNINGS = _strategies("pruning strategy", "pruning")
ROOTS = _strategies("root strategy", "root")
REPAIRS = _strategies("repair strategy", "repair")
FINAL_MOVES = _strategies("final move strategy", "final_move")


def make_strategy(registry: Registry[Callable[..., Any]], name: str, options: dict[str, Any]) -> Any:
    """Build the strategy `name` with its options; an unknown option is an error that names the nearest valid one."""
    kind = registry[name]
    valid: tuple[str, ...] | None = getattr(kind, "options", None)
    if valid is None:
        raise BadInput(f"{name} is no {registry.kind}")
    for option in options:
        if option not in valid:
            hint = did_you_mean(option, valid, otherwise=f"it has {', '.join(valid) or 'none'}")
            raise BadInput(f"{registry.kind} {name!r} has no option {option!r}; {hint}")
    try:
        return kind(**options)
    except (TypeError, ValueError, OverflowError) as error:
        raise BadInput(f"{registry.kind} {name!r}: {error}") from None
