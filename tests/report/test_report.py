"""The report of a store: complete, self-contained, and quick with a million matches."""

import csv
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from paidia.core.errors import BadInput
from paidia.experiment.expand import expand
from paidia.experiment.plan import AgentEntry, Plan, load_plan
from paidia.experiment.run.local import LocalBackend
from paidia.experiment.run.runner import run_plan
from paidia.experiment.store import Store
from paidia.report.page import write_report
from paidia.report.summary import summarise

PAPERS = Path(__file__).parents[2] / "papers"

PLAN = Plan(
    name="small",
    games=["tic-tac-toe", "breakthrough@4x3"],
    agents=["random", AgentEntry(id="random", name="<b>&other"), AgentEntry(id="uct", sims=20)],
    matches=40,
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "small.sqlite"
    with Store(path, write=True) as results:
        run_plan(PLAN, results, backend=LocalBackend(1))
    return path


def test_sums_of_the_database_equal_a_slow_count(store: Path) -> None:
    with Store(store) as results:
        for group in summarise(results):
            query = (
                "SELECT match.pair, match.seat, a.points, moves, a.sims_per_second, b.sims_per_second FROM match"
                " JOIN side AS a ON a.cell = match.cell AND a.pair = match.pair AND a.seat = match.seat AND a.side = 0"
                " JOIN side AS b ON b.cell = match.cell AND b.pair = match.pair AND b.seat = match.seat AND b.side = 1"
                " JOIN cell ON cell.id = match.cell WHERE key = ?"
            )
            rows = list(results.db.execute(query, (group.cells[0],)))
            points = [row[2] for row in rows]
            assert group.n == len(rows) == 40
            assert group.total == pytest.approx(sum(points))
            assert group.squares == pytest.approx(sum(p * p for p in points))
            assert (group.wins, group.draws, group.losses) == tuple(points.count(p) for p in (1.0, 0.5, 0.0))
            assert group.sum("moves") == sum(row[3] for row in rows)
            for side in (0, 1):
                assert group.sum("sims_per_second", side) == pytest.approx(sum(r[4 + side] for r in rows))
            pairs = [sum(row[2] for row in rows if row[0] == pair) / 2 for pair in range(20)]
            assert group.pairs == (20, pytest.approx(sum(pairs)), pytest.approx(sum(p * p for p in pairs)))
            seats = [[row[2] for row in rows if row[1] == seat] for seat in (0, 1)]
            assert group.seats == tuple((len(s), pytest.approx(sum(s))) for s in seats)


def test_page_is_complete_and_self_contained(store: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'paidia[report]'")
    with Store(store) as results:
        tables = write_report(results, tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert {table.name for table in tables} == {"results", "averages", "ratings", "measures", "builds"}
    assert "&lt;b&gt;&amp;other" in page
    assert "<b>&other" not in page
    for forbidden in ("<script", "<link", "src=", "@import"):
        assert forbidden not in page
    pictures = page.split("<figure>")[1:]
    assert len(pictures) == 5  # the intervals, a map for each of two opponents, a round robin for each of two games
    for picture in pictures:
        ET.fromstring(picture.partition("</figure>")[0])
    games = page.split('<figure class="position">')[1:]
    assert len(games) == 2 and "tic-tac-toe</figcaption>" in "".join(games)
    for game in games:
        ET.fromstring(game.partition("<figcaption>")[0])
    for table in tables:
        with (tmp_path / "out" / f"{table.name}.csv").open(newline="", encoding="utf-8") as lines:
            assert len(list(csv.reader(lines))) == 1 + len(table.rows)
        latex = (tmp_path / "out" / f"{table.name}.tex").read_text(encoding="utf-8")
        assert latex.count(r"\\") == len(table.rows) + 2
    ratings = next(table for table in tables if table.name == "ratings")
    assert ratings.rows[0][0] == "uct"


def test_papers_tables_are_compared(tmp_path: Path) -> None:
    plan = load_plan(PAPERS / "s002" / "t1.toml")
    path = tmp_path / "paper.sqlite"
    with Store(path, write=True) as results:
        for cell in expand(plan)[:2]:
            _fill(results, results.open_cell(cell, plan=plan.name), 500, "(2 * pair + seat) % 20 < 13")
        tables = write_report(results, tmp_path / "out")
    rows = next(table for table in tables if table.name == "s002-t1").texts
    assert [(row[0], row[4], row[5], row[8]) for row in rows] == [
        ("atarigo", "65.0 (60.7 to 69.1)", "65.0 ± 4.2", "agree"),
        ("breakthrough", "65.0 (60.7 to 69.1)", "65.0 ± 4.2", "disagree"),
    ]
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert '<td class="agree">agree</td>' in page
    assert '<td class="disagree">disagree</td>' in page


def test_empty_store(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite", write=True) as results, pytest.raises(BadInput, match="no matches yet"):
        write_report(results, tmp_path / "out")


def _fill(store: Store, cell: int, matches: int, won: str) -> None:
    """Matches made up by the database itself."""
    store.db.execute(
        f"""
        WITH RECURSIVE place(pair, seat) AS (
            SELECT 0, 0 UNION ALL SELECT pair + seat, 1 - seat FROM place WHERE 2 * pair + seat + 1 < {matches}
        )
        INSERT INTO match (cell, pair, seat, seed, moves, goals, seconds, ending, message, build)
            SELECT {cell}, pair, seat, pair, 30, '[1.0,0.0]', 0.5, 'terminal', '', {store.build()} FROM place
        """
    )
    columns = "simulations, median_simulations, mean_simulations, sims_per_second, slowest_seconds, late_moves, overruns"
    store.db.execute(
        f"""
        INSERT INTO side (cell, pair, seat, side, points, goal, {columns})
            SELECT cell, pair, seat, each.value, abs(each.value - CAST({won} AS REAL)), 1.0 - each.value,
                1000, 100.0, 100.0, 5000.0, 0.01, 0, 0
            FROM match, json_each('[0, 1]') AS each WHERE cell = {cell}
        """
    )


@pytest.mark.parametrize("matches", [50_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_a_million_matches(matches: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Less than 20 s of processor time and 1 GB, where the store was looked through before (here by who wrote it)."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "large.sqlite"
    names = [AgentEntry(id="random", name=f"agent{i}") for i in range(10)]
    plan = Plan(
        name="large",
        games=[f"breakthrough@{r}x{c}" for r in (5, 6) for c in range(3, 8)],
        agents=names[:-1],
        opponents=names[-1:],
    )
    with Store(path, write=True) as results:
        cells = expand(plan)
        for number, cell in enumerate(cells):
            _fill(
                results,
                results.open_cell(cell, plan=plan.name),
                matches // len(cells) + 1,
                f"(pair + {number}) % 3 < 2",
            )
        assert results.count() >= matches
    code = (
        "import sys, resource; from paidia.cli.main import main; main(sys.argv[1:]);"
        " used = resource.getrusage(resource.RUSAGE_SELF); print(used.ru_utime + used.ru_stime, used.ru_maxrss)"
    )
    command = [sys.executable, "-c", code, "report", str(path), "-o", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, peak = float(done.stdout.split()[-2]), int(done.stdout.split()[-1])
    print(f"{seconds:.1f} s, {peak / 1024:.0f} MB")
    assert seconds < 20
    assert peak < 1024 * 1024
