"""`paidia export`: all matches of a store as a flat table."""

from __future__ import annotations

from pathlib import Path

from paidia.experiment.store import Store
from paidia.experiment.store.export import export


def run(store: Path, file: Path) -> None:
    """Write every match of a store to a .csv or .parquet file.

    Args:
        store: Store of an experiment.
        file: Where to; its ending says in which format.
    """
    with Store(store) as results:
        print(f"{export(results, file):,} matches written to {file}")
