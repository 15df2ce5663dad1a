"""Reports about video games and about agents that adapt."""

from __future__ import annotations

import json
import sqlite3
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from paidia.cli.main import main
from paidia.core.budget import Budget
from paidia.experiment.cells import Cell, Contender
from paidia.experiment.plan import load_plan
from paidia.experiment.row import Row
from paidia.experiment.store import Store
from paidia.experiment.trajectories import Condensed
from paidia.players.registry import load_agent
from paidia.report.differences import difference_tables
from paidia.report.estimates import bootstrap_difference
from paidia.report.page import write_report
from paidia.report.summary import group_cells, summarise
from paidia.report.tables import Estimate, cell_text
from paidia.report.usage import usage_of

PAPERS = Path(__file__).parents[2] / "papers"
VALUES = [["0.6", "1.4"], ["1", "15"]]


def run_of(number: int, told: Condensed | None = None) -> Row:
    won = float(number % 2)
    side = {
        "points": won, "goal": won, "score": 2.0 * number, "simulations": 1000, "median_simulations": 10.0,
        "mean_simulations": 11.0, "sims_per_second": 250.0, "slowest_seconds": 0.0412,
        "late_moves": number, "overruns": number % 3,
    }  # fmt: skip
    match = {"goals": f"[{won}]", "moves": 100 + number, "seconds": 1.0, "ending": "terminal", "message": ""}
    return Row(seed=number, match=match, sides=[side], trajectories=[told] if told else [])


def told(turns: int, combinations: list[tuple[list[str], int]]) -> Condensed:
    return Condensed("nmc", ["K", "D"], VALUES, 1, [[[3, 1], [2, 2]] for _ in range(turns)], combinations)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Two agents on two levels of aliens; the second tells what it did with K and D."""
    path = tmp_path / "arcade.sqlite"
    with Store(path, write=True) as results:
        for name in ("sampleMCTS", "SA-MCTS_NMC"):
            for level in ("0", "1"):
                contender = Contender(name, load_agent("random"), Budget(simulations=10), 0.0)
                place = {"game": "vgdl:aliens", "level": level, "label": "vgdl:aliens", "n_roles": 1}
                cell = Cell(**place, contenders=(contender,), seed=0, max_steps=2000)
                id = results.open_cell(cell, plan="s003-t4")
                used = [(["1.4", "15"], 3), (["0.6", "1"], 1)] if level == "0" else [(["0.6", "1"], 6), (["1.4", "1"], 4)]
                tell = told(3 if level == "0" else 5, used) if name.startswith("SA") else None
                results.add([(id, pair, 0, run_of(pair, tell)) for pair in range(5)])
    return path


def test_usage_adds_up_levels_and_runs(store: Path) -> None:
    with Store(store) as results:
        usage = usage_of(results, group_cells(summarise(results)))
    (own,) = usage.values()
    assert (own.game, own.agent, own.runs) == ("vgdl:aliens", "SA-MCTS_NMC", 10)
    assert own.whole.combinations == [(["0.6", "1"], 5 * 7), (["1.4", "1"], 5 * 4), (["1.4", "15"], 5 * 3)]
    assert own.most_used() == {"K": "0.6", "D": "1"}
    assert own.whole.simulations == 4 * 5 * (3 + 5) and own.share == 35 / 160
    assert own.whole.parts[2] == [[30, 10], [20, 20]] and own.whole.parts[4] == [[15, 5], [10, 10]]


def test_the_page_shows_video_games_and_parameters(store: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'paidia[report]'")
    with Store(store) as results:
        tables = {table.name: table for table in write_report(results, tmp_path / "out", papers=PAPERS)}
        page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
        write_report(results, tmp_path / "again", papers=PAPERS)
    assert {"video-games", "ranking", "combinations", "s003-t4"} <= set(tables)
    shown = tables["video-games"]
    late = shown.columns.index(">late")
    assert [row[late - 1 : late + 2] for row in shown.texts] == [["41.2", "20", "8"]] * 2  # two levels, runs 0 to 4
    assert tables["combinations"].texts[0] == ["vgdl:aliens", "SA-MCTS_NMC", "1", "K = 0.6, D = 1", "21.88", "10"]
    assert [row[:5] + row[8:9] for row in tables["s003-t4"].texts] == [
        ["vgdl:aliens", "SA-MCTS_NMC: K", "", "1.4", "0.6", "other"],
        ["vgdl:aliens", "SA-MCTS_NMC: D", "", "1", "1", "same"],
    ]
    assert [row[1] for row in tables["ranking"].rows] == ["SA-MCTS_NMC", "sampleMCTS"]  # equal in all: one place
    assert [row[0] for row in tables["ranking"].texts] == ["1", "1"]
    assert "share of each parameter value over the match, 10 matches" in page
    for picture in page.split("<figure>")[1:]:
        ET.fromstring(f"<figure>{picture.partition('</figure>')[0]}</figure>")
    for forbidden in ("<script", "<link", "src=", "@import"):
        assert forbidden not in page
    assert page == (tmp_path / "again" / "report.html").read_text(encoding="utf-8")


def test_differences_of_agents(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second agent with every score one higher, and half its losses won: against the first, scores by resampling."""
    db = sqlite3.connect(store)
    better = "cell IN (SELECT cell.id FROM cell JOIN agent ON agent.id = cell.agent WHERE agent.name = 'SA-MCTS_NMC')"
    db.execute(f"UPDATE side SET score = score + 1 WHERE {better}")
    db.execute(f"UPDATE side SET points = 1.0 WHERE {better} AND pair < 2")
    db.commit()
    db.close()
    with Store(store) as results:
        groups = group_cells(summarise(results))
        (table,) = difference_tables(results, groups)
        (row,) = table.rows
        assert row[:3] == ["vgdl:aliens", "SA-MCTS_NMC", "sampleMCTS"] and cell_text(row[3]) == "10"
        won, score = row[4], row[5]
        assert isinstance(won, Estimate) and isinstance(score, Estimate)
        scores = [2.0 * number for number in range(5)] * 2
        assert score.interval == bootstrap_difference([value + 1 for value in scores], scores)
        assert won.interval.mean == pytest.approx(100 * (6 - 4) / 10) and won.interval.low < 0 < won.interval.high
        assert cell_text(score).startswith("+1.00 (-")
        monkeypatch.setattr("paidia.report.differences.MOST_RESAMPLED", 5)
        (table,) = difference_tables(results, groups)
        many = table.rows[0][5]
        assert isinstance(many, Estimate) and many.interval.mean == pytest.approx(1.0) and many.interval.low < 0
        assert not difference_tables(results, groups[:1])


def test_commands_show_ranking_and_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = tmp_path / "mine.toml"
    plan.write_text('games = ["vgdl:petri", "hex@3"]\nlevels = ["0"]\nagents = ["random"]\n'
                    'opponents = [{ id = "random", name = "other" }]\nmatches = 2\n')  # fmt: skip
    with pytest.raises(SystemExit):  # a board has no levels: told before anything is played
        main(["run", str(plan), "--quiet"])
    capsys.readouterr()
    text = plan.read_text().replace('levels = ["0"]\n', "")
    plan.write_text(text.replace('"vgdl:petri"', '{ id = "vgdl:petri", levels = ["0"] }'))
    main(["run", str(plan), "--quiet", "--workers", "1"])
    out = capsys.readouterr().out
    assert "hex@3" in out and "video games" in out and "won %" in out and "4 of 4 matches" in out
    main(["run", str(plan), "--quiet", "--workers", "1", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert document["result"]["done"] == 4 and {cell["game"] for cell in document["cells"]} == {"vgdl:petri", "hex@3"}
    arcade = tmp_path / "arcade.toml"
    arcade.write_text('games = ["vgdl:petri"]\nlevels = ["0"]\nagents = ["random", "one-step"]\nsims = 5\nmatches = 2\n')
    main(["run", str(arcade), "--quiet", "--workers", "1"])
    capsys.readouterr()
    main(["report", str(tmp_path / "arcade.sqlite")])
    assert "Ranking of the video games" in capsys.readouterr().out


def test_a_paper_table_is_run_as_far_as_its_agents_go(
    tmp_path: Path, reference: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a stand-in for an agent: games of the collection, budgets of the table, our cells beside the paper's."""
    if not (reference / "gvgai" / "games").is_dir():
        pytest.skip("the reference games are not there")
    papers = tmp_path / "papers" / "s001"
    papers.mkdir(parents=True)
    text = (PAPERS / "s001" / "t5.2.toml").read_text()
    text = text.replace("solmcts", "one-step").replace("mcts-thesis", "no-such-agent").replace("iw-1", "no-such-agent-2")
    first = text.index('"vgdl:bait"')
    text = text[:first] + text[text.index("]\nagents") :]  # aliens only
    (papers / "t5.2.toml").write_text(text)
    for name in ("printed.csv", "budgets.csv"):
        (papers / name).write_bytes((PAPERS / "s001" / name).read_bytes())
    budget = next(line for line in (papers / "budgets.csv").read_text().splitlines() if line.startswith("vgdl:aliens,SOLMCTS"))
    plan = load_plan(papers / "t5.2.toml")
    assert plan.games == ["vgdl:aliens"]
    main(["reproduce", "s001-t5.2", "--scale", "0.05", "--papers", str(papers.parent), "--store", str(tmp_path / "s.sqlite"),
          "--workers", "1", "--quiet", "--json"])  # fmt: skip
    out = capsys.readouterr()
    assert "agent YBCriber (not available)" in " ".join(out.err.split())
    cells = [cell for cell in json.loads(out.out)["cells"] if cell["ours"]]
    assert {cell["printed"]["agent"] for cell in cells} == {"SOLMCTS"}
    assert all(cell["ours"]["n"] == 5 for cell in cells)  # one run on each level
    with Store(tmp_path / "s.sqlite") as results:
        (sims,) = results.db.execute("SELECT DISTINCT simulations FROM agent")
    assert sims[0] == round(float(budget.split(",")[2]))
