"""`paidia merge`: several stores into one."""

from __future__ import annotations

from pathlib import Path

from paidia.cli.output import say
from paidia.core.errors import BadInput
from paidia.experiment.store.merge import merge_stores


def run(target: Path, *sources: Path) -> None:
    """Merge the results of several runs, e.g. of several machines, into one store.

    Args:
        target: Store that gets everything; it may be new.
        sources: Stores to add.
    """
    if not sources:
        raise BadInput("merge what? name the target and at least one store to add")
    merged = merge_stores(target, sources)
    say(f"{merged.added:,} matches added to {target}, {merged.known:,} were already there")
    if merged.different:
        say(f"{merged.different:,} of those ended differently (time budgets, another version) and were kept")
