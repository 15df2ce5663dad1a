"""All matches of a store as one flat table, in CSV or Parquet; the opponent's columns begin with `opponent_`."""

from __future__ import annotations

import csv
from pathlib import Path

from paidia.core.errors import BadInput
from paidia.core.files import replacing
from paidia.experiment.metrics import metrics
from paidia.experiment.store.store import Store

__all__ = ["export"]


def _query() -> str:
    sides = [(side, prefix, metric.name) for side, prefix in ((0, ""), (1, "opponent_")) for metric in metrics("side")]
    columns = [
        "cell.key AS cell", "cell.plan", "cell.label AS game", "cell.level", "mine.name AS agent", "other.name AS opponent",
        "mine.simulations AS budget_simulations", "mine.seconds AS budget_seconds",
        "other.simulations AS opponent_budget_simulations", "other.seconds AS opponent_budget_seconds",
        "match.pair", "match.seat", "match.seed",
        *(f"match.{metric.name}" for metric in metrics("match")),
        *(f"side{side}.{name} AS {prefix}{name}" for side, prefix, name in sides),
        "version", "signature", "mine.definition AS agent_definition", "other.definition AS opponent_definition",
    ]  # fmt: skip
    joined = [
        f"LEFT JOIN side AS side{side} ON side{side}.cell = match.cell AND side{side}.pair = match.pair"
        f" AND side{side}.seat = match.seat AND side{side}.side = {side}"
        for side in (0, 1)
    ]
    return f"""
        SELECT {", ".join(columns)} FROM match
        {" ".join(joined)}
        JOIN cell ON cell.id = match.cell
        JOIN agent AS mine ON mine.id = cell.agent
        LEFT JOIN agent AS other ON other.id = cell.opponent
        JOIN build ON build.id = match.build
        ORDER BY match.cell, match.pair, match.seat
    """


def export(store: Store, path: Path) -> int:
    """Write every match; the ending of the file decides how. Returns their number."""
    if path.suffix not in (".csv", ".parquet"):
        raise BadInput(f"{path}: matches are exported as .csv or .parquet")
    cursor = store.db.execute(_query())
    columns = [column[0] for column in cursor.description]
    try:
        if path.suffix == ".csv":
            with replacing(path) as fresh, fresh.open("w", newline="", encoding="utf-8") as out:
                writer = csv.writer(out, lineterminator="\n")
                writer.writerow(columns)
                writer.writerows(cursor)
        else:
            _parquet(cursor.fetchall(), columns, path)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error}") from None
    return store.count()


def _parquet(rows: list[tuple[object, ...]], columns: list[str], path: Path) -> None:
    try:
        import polars
    except ImportError:
        raise BadInput("Parquet needs polars: pip install 'paidia[analysis]' (or export to .csv)") from None
    with replacing(path) as fresh:
        polars.DataFrame(rows, schema=columns, orient="row", infer_schema_length=None).write_parquet(fresh)
