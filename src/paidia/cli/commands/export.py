"""`paidia export`: all matches of a store as a flat table, or what can be saved of a damaged one."""

from __future__ import annotations

import tempfile
from pathlib import Path

from paidia.core.errors import BadInput
from paidia.experiment.store import Store
from paidia.experiment.store.export import export
from paidia.experiment.store.salvage import salvage as save


def run(store: Path, file: Path, *, salvage: bool = False) -> None:
    """Write every match of a store to a .csv or .parquet file.

    Args:
        store: Store of an experiment.
        file: Where to; its ending says in which format.
        salvage: The store is damaged: write what can still be read of it, also as a new store (.sqlite).
    """
    if not salvage:
        with Store(store) as results:
            print(f"{export(results, file):,} matches written to {file}")
        return
    if file.suffix not in (".sqlite", ".csv", ".parquet"):
        raise BadInput(f"{file}: what is saved is written as .sqlite, .csv or .parquet")
    with tempfile.TemporaryDirectory() as folder:
        target = file if file.suffix == ".sqlite" else Path(folder) / "saved.sqlite"
        saved = save(store, target)
        if target is not file:
            with Store(target) as results:
                export(results, file)
    rest = f"; {saved.left_out:,} damaged rows were left out" if saved.left_out else ""
    print(f"{saved.matches:,} matches saved to {file}{rest}")
