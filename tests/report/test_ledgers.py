"""Kept matches of the papers' tables: reports on them are those on the store, runs go on with them, and nothing gets lost."""

from __future__ import annotations

import importlib
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paidia.cli.main import main
from paidia.experiment.cells import Cell
from paidia.experiment.expand import expand
from paidia.experiment.metrics import Value
from paidia.experiment.row import Row
from paidia.experiment.store import Store
from paidia.experiment.store.kept import ENDINGS, Kept
from paidia.experiment.store.ledger import lines_of, read_ledger, write_ledger
from paidia.experiment.store.recall import Recalled, recall
from paidia.report.arcade import short_arcade
from paidia.report.measures import measures_table
from paidia.report.papers import ledgers
from paidia.report.papers.compare import compare_table
from paidia.report.papers.measured import measured_numbers
from paidia.report.papers.printed import Table, find_table, tables
from paidia.report.summary import Group, group_cells, summarise
from paidia.report.text import summary_rows

HEAD = "table,metric,game,agent,opponent,value,interval,runs\n"

PLAN = """
name = "{id}"
games = {games}
agents = [{{ id = "uct", name = "UCT" }}]
{opponents}
sims = 4
matches = {matches}
seed = 1

[paper]
table = "{id}"
title = "small games"
paper = "nobody's"
settings = "4 simulations"
"""
RIVAL = 'opponents = [{ id = "random", name = "RANDOM" }]'


def add_table(papers: Path, id: str, games: list[str], *, alone: bool = False, matches: int = 10) -> None:
    folder = papers / id.partition("-")[0]
    folder.mkdir(parents=True, exist_ok=True)
    text = PLAN.format(id=id, games=games, opponents="" if alone else RIVAL, matches=matches)
    (folder / f"{id.partition('-')[2]}.toml").write_text(text.replace("'", '"').replace('nobody"s', "nobody's"))
    printed = folder / "printed.csv"
    rows = printed.read_text() if printed.exists() else HEAD
    for metric in ("win_pct", "score", "sims_per_tick") if alone else ("win_pct", "sims_per_second"):
        for game in [*games, "average"] if metric == "win_pct" else games:
            rows += f"{id},{metric},{game},UCT,{'' if alone else 'RANDOM'},50.0,,1000\n"
    printed.write_text(rows)


def cells_of(table: Table) -> list[Cell]:
    return expand(table.plan, folder=table.file.parent, file=str(table.file))


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Table, list[Cell]]]:
    """Two roles and three, one role, and a video game with levels."""
    papers = tmp_path_factory.mktemp("papers")
    add_table(papers, "s8-t1", ["tic-tac-toe", "gdl:chinese-checkers-3"])
    add_table(papers, "s8-t2", ["gdl:eight-puzzle", "vgdl:petri"], alone=True)
    return [(table, cells_of(table)[:4]) for table in tables(papers)]


GOALS = st.sampled_from([0.0, 0.0, 0.5, 1.0, 1.0, 0.1, 1 / 3])
COUNT = st.one_of(st.none(), st.integers(0, 10**9))


@st.composite
def rows(draw: st.DrawFn, cell: Cell) -> dict[tuple[int, int], Row]:
    """Some matches of a cell, as a run would have left them."""
    found = {}
    for place in draw(st.sets(st.tuples(st.integers(0, 3), st.integers(0, len(cell.seats) - 1)), max_size=8)):
        if draw(st.integers(0, 9)) == 0:
            found[place] = Row.failed(cell.match_seed(place[0]), len(cell.contenders), "it fell over")
            continue
        video = cell.level is not None
        kept = Kept(
            pair=place[0], seat=place[1], goals=tuple(draw(GOALS) for _ in range(cell.n_roles)), moves=draw(st.integers(0, 2001)),
            seconds=draw(st.floats(0.0, 1e4)), ending=draw(st.sampled_from(ENDINGS)), simulations=draw(st.integers(0, 10**9)),
            score=draw(st.floats(-1e6, 1e6)) if video else None, lost_playouts=draw(COUNT),
        )  # fmt: skip
        row = kept.row(cell)
        rest: dict[str, Value] = {"median_simulations": 4.0, "mean_simulations": 4.5, "sims_per_second": 99.0, "overruns": 1}
        found[place] = msgspec.structs.replace(row, sides=[{**side, **rest} for side in row.sides])
    return found


def stored(path: Path, matches: dict[str, dict[tuple[int, int], Row]], cells: list[Cell]) -> None:
    with Store(path, write=True) as store:
        for cell in cells:
            id = store.open_cell(cell, plan="p")
            store.add([(id, *place, row) for place, row in matches[cell.key].items()], signatures={id: "s"})


def told(group: Group) -> dict[str, Any]:
    """What must be the same."""
    names = [
        "game", "agent", "opponent", "budget", "cells", "n", "total", "squares", "wins", "draws", "losses", "early", "scores",
        "pairs", "late", "budgets", "strata",
    ]  # fmt: skip
    same = {name: getattr(group, name) for name in names}
    sums = [group.sum(name) for name in ("simulations", "lost_playouts", "goal")]
    return {**same, "seats": [seat for seat in group.seats if seat[0]], "sums": sums}


@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_reports_on_kept_matches_are_those_on_the_store(worlds: list[tuple[Table, list[Cell]]], data: st.DataObject) -> None:
    cells = [cell for _, own in worlds for cell in own]
    matches = {cell.key: data.draw(rows(cell)) for cell in cells}
    with TemporaryDirectory() as name:
        folder = Path(name)
        stored(folder / "before.sqlite", matches, cells)
        with Store(folder / "before.sqlite") as before, Store(folder / "after.sqlite", write=True) as after:
            write_ledger(folder / "matches.csv", lines_of(before))
            recall(after, read_ledger(folder / "matches.csv"), cells=cells, plan="p", signature=lambda cell: "s")
            one = [group for group in summarise(before) if group.n]
            two = sorted(summarise(after), key=lambda group: [each.cells for each in one].index(group.cells))
        assert [told(group) for group in two] == [told(group) for group in one]
        for a, b in zip(one, two, strict=True):
            assert b.mean("moves") == pytest.approx(a.sum("moves") / a.n)
            assert b.mean("seconds") == pytest.approx(a.mean("seconds"), rel=0.006)
            assert b.having("simulations") == b.n and b.having("overruns") == 0
        for table, _ in worlds:
            verdicts = [compare_table(table, groups) for groups in (one, two)]
            numbers = [[each for each in own if not each.printed.metric.startswith("sims_")] for own in verdicts]
            assert numbers[0] == numbers[1]
            assert all(each.ours is None for each in verdicts[1] if each.printed.metric.startswith("sims_"))
        for groups in (two, group_cells([*one, *two])):  # and tables are made of whatever is there
            measures_table(groups)
            summary_rows(groups)
            short_arcade([group for group in groups if group.video])
        Store(folder / "after.sqlite").close()  # rows are as they must be


def test_means_are_over_the_matches_that_have_a_measure(worlds: list[tuple[Table, list[Cell]]], tmp_path: Path) -> None:
    cell = worlds[0][1][0]
    each = [Kept(pair=0, seat=seat, goals=(1.0, 0.0), moves=9, seconds=1.0, simulations=8) for seat in (0, 1)]
    full, bare = (match.row(cell) for match in each)
    full.sides[0]["sims_per_second"] = 50.0
    stored(tmp_path / "s.sqlite", {cell.key: {(0, 0): full, (0, 1): bare}}, [cell])
    with Store(tmp_path / "s.sqlite") as store:
        (group,) = summarise(store)
    assert (group.mean("sims_per_second"), group.mean("simulations"), group.mean("sims_per_second", 1)) == (50.0, 8.0, 0.0)
    rates = [each for each in compare_table(worlds[0][0], [group]) if each.printed.metric == "sims_per_second"]
    assert rates[0].ours is not None and (rates[0].ours.mean, rates[0].ours.n) == (50.0, 1)


@pytest.fixture
def keep_results(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "tools"))
    return importlib.import_module("keep_results")


def everything(path: Path) -> list[tuple[Any, ...]]:
    """All matches of a store without what the clock says, and whether they were played here."""
    query = """SELECT key, match.pair, match.seat, match.seed, goals, moves, points, simulations, ending, signature,
        sims_per_second IS NOT NULL FROM match JOIN side USING (cell, pair, seat) JOIN cell ON cell.id = match.cell
        JOIN build ON build.id = match.build WHERE side = 0 ORDER BY 1, 2, 3"""
    with Store(path) as store:
        return list(store.db.execute(query))


def test_a_run_goes_on_elsewhere(
    tmp_path: Path, keep_results: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    papers = tmp_path / "papers"
    add_table(papers, "s8-t1", ["tic-tac-toe", "hex@3"])
    add_table(papers, "s9-t1", ["hex@3"])  # the cell is kept with the first paper
    common = ["--papers", str(papers), "--workers", "1", "--quiet", "--json"]
    main(["reproduce", "s8-t1", "--store", "one.sqlite", "--scale", "0.4", *common])
    told = list(keep_results.keep_all(papers, [tmp_path / "one.sqlite"]))
    assert told == ["s8-t1: 8 matches", "s9-t1: 4 matches", "8 matches are kept"]
    file = papers / "s8" / "matches.csv"
    kept, numbers = file.read_bytes(), measured_numbers([find_table(papers, "s8-t1")])
    assert not (papers / "s9" / "matches.csv").exists()

    capsys.readouterr()
    main(["reproduce", "s8-t1", "--store", "two.sqlite", "--recall", *common])
    assert "8 matches recalled" in capsys.readouterr().err
    main(["reproduce", "s8-t1", "--store", "whole.sqlite", *common])
    two, whole = everything(tmp_path / "two.sqlite"), everything(tmp_path / "whole.sqlite")
    assert [row[:-1] for row in two] == [row[:-1] for row in whole] and len(two) == 20
    assert {row[:3] for row in two if not row[-1]} == {row[:3] for row in everything(tmp_path / "one.sqlite")}  # not played again

    capsys.readouterr()
    places = ["--papers", str(papers), "--workers", "1", "--quiet", "--store", "all.sqlite"]
    for said in ("8 matches recalled", "0 matches recalled; 8 were there"):
        main(["reproduce", "s8-t1", "s9-t1", "--estimate", "--recall", *places])
        assert said in capsys.readouterr().err
    assert len(everything(tmp_path / "all.sqlite")) == 8

    # without a store, or with a smaller one, everything is as it was; with a larger one there is more
    assert list(keep_results.keep_all(papers, [])) == told
    with Store(tmp_path / "one.sqlite", write=True) as store:
        for table in ("match", "side"):
            store.db.execute(f"DELETE FROM {table} WHERE pair > 0")
    assert list(keep_results.keep_all(papers, [tmp_path / "one.sqlite"])) == told
    assert file.read_bytes() == kept and measured_numbers([find_table(papers, "s8-t1")]) == numbers
    assert list(keep_results.keep_all(papers, [tmp_path / "two.sqlite"]))[-1] == "20 matches are kept"

    file.write_text(file.read_text().replace("board:", "board:9"))  # somebody has changed the rules
    assert "20 kept matches are of other behaviour" in list(keep_results.keep_all(papers, []))
    assert len(read_ledger(file)) == 2
    main(["reproduce", "s8-t1", "--store", "three.sqlite", "--recall", *common])
    assert "0 matches recalled; 20 left out, which other behaviour played" in capsys.readouterr().err
    assert list(keep_results.keep_all(papers, [tmp_path / "three.sqlite"]))[-1] == "20 matches are kept"
    assert "board:9" not in file.read_text()  # as many were played anew


def test_wrong_uses_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    papers = tmp_path / "papers"
    add_table(papers, "s8-t1", ["tic-tac-toe"])
    (papers / "s8" / "matches.csv").write_text("nothing\n")
    for words, why in (([], "--recall is about a run"), (["s8-t1"], "matches.csv: no column 'game'")):
        with pytest.raises(SystemExit) as stop:
            main(["reproduce", *words, "--recall", "--papers", str(papers)])
        assert stop.value.code == 2 and why in capsys.readouterr().err


def test_what_no_plan_has_stays_where_it_is(tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    add_table(papers, "s8-t1", ["tic-tac-toe"])
    add_table(papers, "s9-t1", ["hex@3"])
    (one,), (two,) = (cells_of(table) for table in tables(papers))
    row = Kept(pair=0, seat=0, goals=(1.0, 0.0), moves=5, seconds=1.0)
    stored(tmp_path / "s.sqlite", {cell.key: {(0, 0): row.row(cell)} for cell in (one, two)}, [one, two])
    homes = {papers / "s8": [one], papers / "s9": [two]}
    with Store(tmp_path / "s.sqlite") as store:
        assert ledgers.keep_matches(papers, homes, store=store, signature=lambda cell: "s") == 2
    with Store(tmp_path / "empty.sqlite", write=True) as store:
        files = [(papers / name / "matches.csv").read_bytes() for name in ("s8", "s9")]
        assert ledgers.keep_matches(papers, {}, store=store) == 2
        assert [(papers / name / "matches.csv").read_bytes() for name in ("s8", "s9")] == files
        # a cell that another paper has now goes there, once
        assert ledgers.keep_matches(papers, {papers / "s8": [one, two]}, store=store, signature=lambda cell: "s") == 2
    assert [len(read_ledger(papers / name / "matches.csv")) for name in ("s8", "s9")] == [2, 0]


def test_stores_without_anything_to_begin_with_are_not_made(worlds: list[tuple[Table, list[Cell]]], tmp_path: Path) -> None:
    found = ledgers.recall_into(tmp_path / "s.sqlite", [], plans=[("p", worlds[0][1])])
    assert found == Recalled() and not (tmp_path / "s.sqlite").exists()
