"""Stores: what is none is refused, several become one, and all of it can be taken elsewhere."""

import csv
import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from paidia.core.errors import BadInput
from paidia.experiment.plan import AgentEntry, Plan
from paidia.experiment.run.local import LocalBackend
from paidia.experiment.run.runner import run_plan
from paidia.experiment.store import Store
from paidia.experiment.store.export import export
from paidia.experiment.store.merge import merge_stores

Played = Callable[[Path], list[tuple[object, ...]]]

PLAN = Plan(
    games=["tic-tac-toe", "breakthrough@4x3"],
    agents=["random"],
    opponents=[AgentEntry(id="random", name="other")],
    matches=20,
)


def run(plan: Plan, path: Path) -> Path:
    with Store(path, write=True) as store:
        run_plan(plan, store, backend=LocalBackend(1))
    return path


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no store"):
        Store(tmp_path / "none.sqlite")
    (tmp_path / "text.sqlite").write_text("not a database at all, but long enough to look like one" * 10)
    for write in (False, True):
        with pytest.raises(BadInput, match="cannot be used as a store"):
            Store(tmp_path / "text.sqlite", write=write)
    other = sqlite3.connect(tmp_path / "other.sqlite")
    other.execute("CREATE TABLE stranger (x)")
    other.close()
    for write in (False, True):
        with pytest.raises(BadInput, match="is not a store of paidia"):
            Store(tmp_path / "other.sqlite", write=write)
    with pytest.raises(BadInput, match="cannot write the store"):
        Store(tmp_path / "no" / "folder.sqlite", write=True)


def test_another_schema_is_refused(tmp_path: Path) -> None:
    Store(tmp_path / "s.sqlite", write=True).close()
    db = sqlite3.connect(tmp_path / "s.sqlite")
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(BadInput, match="has schema 99"):
        Store(tmp_path / "s.sqlite")


def test_a_match_cannot_be_entered_twice(tmp_path: Path) -> None:
    path = run(PLAN, tmp_path / "s.sqlite")
    with Store(path, write=True) as store, pytest.raises(sqlite3.IntegrityError):
        store.db.execute("INSERT INTO match SELECT * FROM match LIMIT 1")


def test_merged_parts_equal_the_whole(tmp_path: Path, played: Played) -> None:
    whole = run(PLAN, tmp_path / "whole.sqlite")
    one = run(msgspec.structs.replace(PLAN, games=["breakthrough@4x3"]), tmp_path / "one.sqlite")
    two = run(msgspec.structs.replace(PLAN, games=["tic-tac-toe"], matches=14), tmp_path / "two.sqlite")
    three = run(msgspec.structs.replace(PLAN, games=["tic-tac-toe"]), tmp_path / "three.sqlite")
    merged = merge_stores(tmp_path / "all.sqlite", [one, two, three])
    assert (merged.added, merged.known, merged.different) == (20 + 14 + 6, 14, 0)
    assert played(tmp_path / "all.sqlite") == played(whole)
    assert merge_stores(tmp_path / "all.sqlite", [whole]).added == 0
    with Store(tmp_path / "all.sqlite") as store:
        assert store.db.execute("SELECT count(*) FROM agent").fetchone()[0] == 2
        assert store.db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_matches_that_differ_are_counted(tmp_path: Path) -> None:
    one, two = run(PLAN, tmp_path / "one.sqlite"), run(PLAN, tmp_path / "two.sqlite")
    db = sqlite3.connect(two)
    db.execute("UPDATE match SET goals = '[0.3,0.7]' WHERE pair = 0")
    db.commit()
    db.close()
    merged = merge_stores(one, [two])
    assert (merged.added, merged.known, merged.different) == (0, 40, 4)
    with pytest.raises(BadInput, match="into itself"):
        merge_stores(one, [one])


def test_export(tmp_path: Path) -> None:
    path = run(PLAN, tmp_path / "s.sqlite")
    with Store(path) as store:
        assert export(store, tmp_path / "s.csv") == 40
        with pytest.raises(BadInput, match="exported as"):
            export(store, tmp_path / "s.xlsx")
    with (tmp_path / "s.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 40
    assert {row["game"] for row in rows} == {"tic-tac-toe", "breakthrough@4x3"}
    assert rows[0]["agent"] == "random"
    assert rows[0]["opponent"] == "other"
    assert rows[0]["agent_definition"] == '{"kind":"random","world":"any"}'
    assert {row["points"] for row in rows} <= {"0.0", "0.5", "1.0"}


def test_export_to_parquet(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed: pip install 'paidia[analysis]'")
    path = run(PLAN, tmp_path / "s.sqlite")
    with Store(path) as store:
        export(store, tmp_path / "s.parquet")
        total = store.db.execute("SELECT (SELECT sum(points) FROM side WHERE side = 0), sum(moves) FROM match").fetchone()
    frame = polars.read_parquet(tmp_path / "s.parquet")
    assert frame.height == 40
    assert (frame["points"].sum(), frame["moves"].sum()) == total
