"""Verdicts on cells, and the papers' tables as a whole."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from paidia.core.errors import RuleError, UnknownName
from paidia.report.compare import compare
from paidia.report.papers import Printed, find_table, papers_folder, read_printed, table_order, tables
from paidia.report.summary import Group, group_cells

PAPERS = Path(__file__).parents[2] / "papers"


def group(n: int, wins: int, draws: int = 0, *, game: str = "hex", agent: str = "A", opponent: str | None = "B") -> Group:
    total = wins + 0.5 * draws
    return Group(
        game=game,
        agent=agent,
        opponent=opponent,
        budget="10 sims",
        cells=("k",),
        n=n,
        total=total,
        squares=wins + 0.25 * draws,
        wins=wins,
        draws=draws,
        losses=n - wins - draws,
        early=0,
        failed=0,
        moves=n * 10.0,
        seconds=n * 1.0,
        rates=(n * 100.0, n * 50.0),
        medians=(n * 20.0, n * 10.0),
        overruns=0,
        scores=(0, 0.0, 0.0),
        pairs=(n // 2, total / 2, 0.0),
        seats=((n // 2, total / 2), (n // 2, total / 2)),
    )


def printed(value: float, half: float | None, **changes: object) -> Printed:
    base = {"table": "t", "metric": "win_pct", "game": "hex", "agent": "A", "opponent": "B", "runs": 500}
    return Printed(value=value, half=half, **{**base, **changes})


@pytest.mark.parametrize(
    ("paper", "ours", "verdict"),
    [
        (printed(60.0, 4.3), group(500, 300), "agree"),
        (printed(60.0, 4.3), group(500, 350), "disagree"),
        (printed(60.0, 4.3), group(20, 11), "undecided"),
        (printed(60.0, 4.3), group(20, 1), "disagree"),
        (printed(100.0, 0.0), group(500, 500), "agree"),
        (printed(100.0, None), group(500, 480), "disagree"),
        (printed(99.2, None), group(30, 30), "undecided"),
        (printed(60.0, 4.3), group(0, 0), "not run"),
        (printed(60.0, 4.3, agent="C"), group(500, 300), "not run"),
        (printed(40.0, 4.3, agent="B", opponent="A"), group(500, 300), "agree"),
        (printed(123.0, None, metric="sims_per_second", opponent=""), group(500, 300), "rate"),
    ],
)
def test_verdicts(paper: Printed, ours: Group, verdict: str) -> None:
    (found,) = compare([paper], [ours])
    assert found.verdict == verdict
    assert (found.more > 0) == (verdict == "undecided")


def test_undecided_says_how_many_more() -> None:
    (found,) = compare([printed(50.0, 4.4)], [group(50, 25)])
    assert 300 < found.more < 420  # 5 points of half width need about 384 matches at 50 %


def test_round_robin_and_average_rows() -> None:
    groups = [group(100, 60, game=g, agent=a, opponent=b) for g in ("hex", "go") for a, b in (("A", "B"), ("C", "A"))]
    (all_others,) = compare([printed(50.0, 5.0, opponent="all-others")], groups)
    assert all_others.ours is not None
    assert all_others.ours.n == 200
    assert all_others.ours.mean == pytest.approx(50.0)  # 60 of 100 against B, 40 of 100 against C
    (average,) = compare([printed(60.0, 5.0, game="average")], groups)
    assert average.ours is not None
    assert average.ours.n == 200
    assert average.ours.mean == pytest.approx(60.0)
    rate = compare([printed(50.0, None, metric="sims_per_tick", agent="B", opponent="")], groups)[0].ours
    assert rate is not None
    assert rate.mean == pytest.approx(10.0)  # the opponent's own


def test_levels_are_taken_together() -> None:
    merged = group_cells([group(10, 4), group(20, 8), group(5, 5, game="go")])
    assert [(g.game, g.n, g.wins) for g in merged] == [("hex", 30, 12), ("go", 5, 5)]


def test_every_table_has_a_plan_and_numbers() -> None:
    found = tables(PAPERS)
    assert {t.id for t in found} >= {"s000-t1", "s001-t5.14", "s002-t4", "s003-t5b", "s004-t12"}
    assert [t.id for t in found] == sorted((t.id for t in found), key=table_order)
    numbers = [row for folder in PAPERS.iterdir() if folder.is_dir() for row in read_printed(folder / "printed.csv")]
    assert {row.table for row in numbers} == {t.id for t in found if t.paper.metric != "facts" and "fig" not in t.id}
    for table in found:
        agents = {getattr(a, "name", "") or getattr(a, "id", a) for a in [*table.plan.agents, *table.plan.opponents]}
        games = {getattr(g, "name", "") or getattr(g, "id", g) for g in table.plan.games}
        unknown = {row.agent for row in table.printed()} - agents - {"Best(P_NMC,P_LSI)"}
        assert not unknown, (table.id, unknown)
        assert {row.game for row in table.printed()} <= games | {"average"}, table.id


def test_printed_numbers_equal_the_reference() -> None:
    """The numbers in papers/ are those of the reference tables, cell for cell."""
    reference = PAPERS.parent.parent / "shared" / "paper_tables"
    if not reference.is_dir():
        pytest.skip("the reference tables are not there")
    total = dict.fromkeys(("s000", "s002", "s003"), 0.0)
    for file in reference.glob("s00[023]_t*.csv"):
        with file.open(newline="") as lines:
            for row in csv.DictReader(lines):
                if row["value"] and ("pct" in row["metric"] or "score" in row["metric"] or "iterations" in row["metric"]):
                    total[file.name[:4]] += float(row["value"])
    for paper, expected in total.items():
        assert sum(row.value for row in read_printed(PAPERS / paper / "printed.csv")) == pytest.approx(expected)


def test_unknown_tables_and_broken_numbers_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 's002-t1'"):
        find_table(PAPERS, "s02-t1")
    bad = tmp_path / "printed.csv"
    bad.write_text("table,metric,game,agent,opponent,value,interval,runs\nt,win_pct,hex,A,B,much,,5\n")
    with pytest.raises(RuleError, match=r"printed.csv:2: not a printed number"):
        read_printed(bad)
    assert papers_folder() == PAPERS


def test_command_runs_a_part_of_a_table(tmp_path: Path) -> None:
    def paidia(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "paidia", "reproduce", *arguments, "--papers", str(papers)]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

    papers = tmp_path / "papers"
    (papers / "s002").mkdir(parents=True)
    for name in ("t1.toml", "printed.csv"):
        text = (PAPERS / "s002" / name).read_text()
        (papers / "s002" / name).write_text(text.replace('"nogo",', '"nogo", "no-such-game",'))
    listed = json.loads(paidia("--json").stdout)
    assert [(t["id"], t["missing"], t["runnable"]) for t in listed] == [("s002-t1", ["game no-such-game"], True)]
    done = paidia("s002-t1", "--scale", "0.004", "--sims", "20", "--save", "--json", "--workers", "1")
    assert done.returncode == 0, done.stderr
    assert "left out, not yet there: game no-such-game" in done.stderr
    cells = json.loads(done.stdout)["cells"]
    assert len(cells) == 8
    assert all(cell["ours"]["n"] == 2 for cell in cells)
    with (papers / "s002" / "measured.csv").open() as lines:
        measured = list(csv.DictReader(lines))
    assert len(measured) == 8
    assert measured[0]["command"] == "paidia reproduce s002-t1 --scale 0.004 --sims 20"
    page = (papers / "s002" / "README.md").read_text()
    assert page.startswith("# Cazenave and Diemert 2017, Memorizing the Playout Policy\n")
    assert page.count("\n| ") == 10
    assert paidia("s002-t1", "--scale", "-1").returncode == 2
