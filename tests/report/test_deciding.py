"""How long verdicts take, and where the time goes: the nearest one first, over several tables, from where it was cut."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import msgspec
import pytest

from paidia.cli.main import main
from paidia.experiment.run.agents import playable_cells
from paidia.experiment.run.local import LocalBackend
from paidia.experiment.run.progress import Silent
from paidia.experiment.run.runner import run_plan
from paidia.experiment.store import Store
from paidia.report.papers.claims import Told, decide, errors, load_claims
from paidia.report.papers.deciding import probe, spend
from paidia.report.papers.forecasts import (
    ClaimForecast,
    Forecast,
    Task,
    forecast,
    forecast_claims,
    groups_of,
    total,
    total_claims,
)
from paidia.report.papers.measured import measured_numbers, measured_runs
from paidia.report.papers.printed import find_table, tables
from paidia.report.papers.verdicts import FEWEST
from paidia.report.statistics import wilson

HEAD = "table,metric,game,agent,opponent,value,interval,runs\n"

PLAN = """
name = "{id}"
games = ["tic-tac-toe", "hex@3"]
agents = [{{ id = "uct", name = "UCT" }}]
opponents = [{{ id = "random", name = "RANDOM" }}]
sims = 4
matches = 500
seed = 1

[paper]
table = "{id}"
title = "two small games"
paper = "nobody's"
settings = "4 simulations"
"""


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers" / "s9"
    folder.mkdir(parents=True)
    rows = ""
    for id in ("s9-t1", "s9-t2"):
        (folder / f"{id[3:]}.toml").write_text(PLAN.format(id=id))
        for game, value in (("tic-tac-toe", 72.0), ("hex@3", 99.0), ("average", 85.0)):
            rows += f"{id},win_pct,{game},UCT,RANDOM,{value},,100000\n"
    (folder / "printed.csv").write_text(HEAD + rows)
    return folder.parent


def task(papers: Path, id: str, folder: Path) -> Task:
    table = find_table(papers, id)
    plan = table.runnable()
    assert plan is not None
    return Task(table, plan, playable_cells(plan, folder=table.file.parent, file=str(table.file)), folder / f"{id}.sqlite")


def needed(value: float, margin: float, sure: float = 1.6448536) -> int:
    """Matches after which Wilson's interval (90 %) around the paper's own value lies inside the margin; its 100,000 runs count as
    none."""
    n = 20
    while True:
        found = wilson(n, n * value / 100.0, z=sure).scaled(100.0)
        if value - found.low <= margin and found.high - value <= margin:
            return n
        n += 1


def by_game(found: list[Forecast]) -> dict[str, Forecast]:
    return {each.comparison.printed.game: each for each in found}


def test_what_nobody_has_played_needs_what_the_papers_numbers_ask_for(papers: Path, tmp_path: Path) -> None:
    (found,) = forecast([task(papers, "s9-t1", tmp_path)])
    needs = by_game(found)
    assert needs["tic-tac-toe"].matches == pytest.approx(needed(72.0, 10.0), abs=2)
    assert needs["hex@3"].matches == pytest.approx(needed(99.0, 10.0), abs=2)
    assert needs["average"].matches == pytest.approx(needed(85.0, 4.0), rel=0.02)
    assert len(needs["average"].cells) == 2 and len(needs["hex@3"].cells) == 1
    everything = total("s9-t1", found)
    assert (everything.numbers, everything.decided, everything.hopeless) == (3, 0, 0)
    assert everything.matches == 2 * -(-needs["average"].matches // 2)  # the average asks most of both cells


def test_matches_tell_what_matches_cost(papers: Path, tmp_path: Path) -> None:
    one = task(papers, "s9-t1", tmp_path)
    probe([one], 60.0, backend=LocalBackend(1), workers=1, progress=Silent)
    with Store(one.path) as results:
        played = dict(results.db.execute("SELECT label, avg(seconds) FROM match JOIN cell ON cell.id = cell GROUP BY label"))
        assert results.db.execute("SELECT count(*) FROM match").fetchone() == (4,)  # a pair each
    needs = by_game(forecast([one])[0])
    for game in ("tic-tac-toe", "hex@3"):
        assert needs[game].seconds == pytest.approx(needs[game].matches * played[game], rel=1e-6)
    probe([one], 60.0, backend=LocalBackend(1), workers=1, progress=Silent)  # nothing is played twice
    with Store(one.path) as results:
        assert results.db.execute("SELECT count(*) FROM match").fetchone() == (4,)


def test_time_goes_to_the_nearest_verdict_until_all_are_there(papers: Path, tmp_path: Path) -> None:
    tasks = [task(papers, id, tmp_path) for id in ("s9-t1", "s9-t2")]
    told: list[str] = []
    backend = LocalBackend(1)
    assert spend(tasks, 0.0, backend=backend, workers=1, progress=Silent, tell=told.append) == "out of time" and not told
    assert spend(tasks, 300.0, backend=backend, workers=1, progress=Silent, tell=told.append) == "decided"
    assert told[0].startswith("s9-t1, hex@3, UCT against RANDOM: ")  # 99 % needs fewest matches
    for found in forecast(tasks):
        assert {each.comparison.verdict for each in found} <= {"agree", "disagree"}
        assert not any(each.open for each in found)
    before = len(told)
    assert spend(tasks, 300.0, backend=backend, workers=1, progress=Silent, tell=told.append) == "decided" and len(told) == before


CLAIMS = """
[[claim]]
table = "s9-t1"
text = "UCT beats a random player in hex"
left = "UCT v RANDOM"
is = ">"
right = 50.0
game = "hex@3"

[[claim]]
table = "s9-t1"
text = "and on average"
left = "UCT v RANDOM"
is = ">"
right = 70.0

[[claim]]
table = "s9-t3"
text = "and more than one that does not look ahead"
left = "UCT v RANDOM"
is = ">"
right = "WEAK v RANDOM"

[[claim]]
table = "s9-t2"
text = "in one of two games UCT does not even reach 40 points"
left = "UCT v RANDOM"
is = "<"
right = 40.0
game = "each"
least = 1
"""


@pytest.fixture
def claimed(papers: Path) -> Path:
    folder = papers / "s9"
    (folder / "claims.toml").write_text(CLAIMS)
    two = 'agents = [{ id = "uct", name = "UCT" }, { id = "random", name = "WEAK" }]'
    text = PLAN.format(id="s9-t3").replace('agents = [{ id = "uct", name = "UCT" }]', two, 1).replace('"tic-tac-toe", ', "")
    (folder / "t3.toml").write_text(text)
    with (folder / "printed.csv").open("a") as out:
        for agent, value in (("UCT", 90.0), ("WEAK", 50.0)):
            for game in ("hex@3", "average"):
                out.write(f"s9-t3,win_pct,{game},{agent},RANDOM,{value},,100000\n")
    return papers


def by_text(found: list[ClaimForecast]) -> dict[str, ClaimForecast]:
    return {each.judged.claim.text.partition(" ")[0]: each for each in found}


def test_a_claim_needs_the_matches_of_its_sides(claimed: Path, tmp_path: Path) -> None:
    tasks = [task(claimed, id, tmp_path) for id in ("s9-t1", "s9-t2", "s9-t3")]
    claims = load_claims(claimed / "s9")
    hex_, average, two, each = forecast_claims(tasks)
    assert (len(hex_.cells), len(average.cells), len(two.cells)) == (1, 2, 2)
    # the least numbers that decide, if ours come out as printed: tried one by one
    needed = next(n for n in range(1, 999) if decide(claims[0], Told(99.0, n), Told(50.0, 0), errors(4)) == "holds")
    assert hex_.matches == needed == 20
    needed = next(n for n in range(1, 999) if decide(claims[1], Told(85.0, 2 * n), Told(70.0, 0), errors(4)) == "holds")
    assert average.matches == 2 * needed
    needed = next(n for n in range(1, 999) if decide(claims[2], Told(90.0, n), Told(50.0, n), errors(4)) == "holds")
    assert two.matches == 2 * needed
    # 72 and 99 points: it fails, for which both games have to speak; each with half of the claim's share of the error
    parts = [
        next(n for n in range(1, 999) if decide(claims[3], Told(value, n), Told(40.0, 0), errors(4, 2)) == "does not hold")
        for value in (72.0, 99.0)
    ]
    assert each.matches == sum(parts) and len(each.cells) == 2
    (everything,) = total_claims(tasks, [hex_, average, two, each])
    assert (everything.id, everything.numbers, everything.decided, everything.hopeless) == ("s9", 4, 0, 0)
    assert everything.matches <= sum(need.matches for need in (hex_, average, two, each))


def test_time_goes_to_claims_alone_if_wanted(claimed: Path, tmp_path: Path) -> None:
    tasks = [task(claimed, id, tmp_path) for id in ("s9-t1", "s9-t3")]
    told: list[str] = []
    how = {"backend": LocalBackend(1), "workers": 1, "progress": Silent, "tell": told.append, "only_claims": True}
    assert spend(tasks, 300.0, **how) == "decided"  # type: ignore[arg-type]
    assert told[0].startswith('s9-t1, "UCT beats a random player in hex": 20 matches')
    found = by_text(forecast_claims(tasks))
    assert {each.judged.verdict for each in found.values()} <= {"holds", "does not hold"}
    assert found["UCT"].judged.verdict == "holds"
    sides = {group.agent: group for group in groups_of(tasks[1])}
    one, other = sides["UCT"], sides["WEAK"]  # both sides of a claim about two columns were played; who thinks takes longer
    assert min(one.n, other.n) > FEWEST and one.mean("seconds") > other.mean("seconds") and one.n < other.n
    assert all(line.partition(", ")[2].startswith('"') for line in told)  # nothing was played for a number
    before = len(told)
    assert spend(tasks, 300.0, **how) == "decided" and len(told) == before  # type: ignore[arg-type]


def test_stores_are_kept_as_they_are(papers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "tools"))
    keep_results = importlib.import_module("keep_results")
    one = task(papers, "s9-t1", tmp_path)
    found = tables(papers)
    with Store(one.path, write=True) as store:  # copied while it is written to
        plan = msgspec.structs.replace(one.plan, matches=10)
        run_plan(plan, store, backend=LocalBackend(1), cells=one.cells, workers=1, signature=lambda cell: "board:1")
        copy = keep_results.snapshot(one.path, papers)
    with Store(copy) as store:
        assert [keep_results.keep(table, found, store) for table in found] == ["20 matches"] * 2  # both tables have these cells
        numbers = measured_numbers(found)
        assert [[each.ours and each.ours.n for each in own] for own in numbers.values()] == [[10, 10, 20]] * 2
        build = keep_results.builds_of(store, {one.cells[0].key})
        assert len(build) == 1 and build[0][2] == 10
    fewer = msgspec.structs.replace(one, path=tmp_path / "fewer.sqlite")
    with Store(fewer.path, write=True) as store:
        plan = msgspec.structs.replace(one.plan, matches=2)
        run_plan(plan, store, backend=LocalBackend(1), cells=one.cells, workers=1, signature=lambda cell: "board:1")
        assert keep_results.keep(found[0], found, store) == "4 matches, left as it is: more was kept before"
    assert measured_numbers(found) == numbers
    left = "matches, left as it is: more was kept before"
    for cells, fewest, told, then in (  # of other behaviour: a number once it has enough matches, an average once it is whole
        (one.cells[:1], 3, f"2 {left}", [10, 10, 20]),
        (one.cells[:1], 2, "2 matches", [2, 10, 20]),
        (one.cells, 2, "4 matches", [2, 2, 4]),
    ):
        monkeypatch.setattr(keep_results, "FEWEST", fewest)
        with Store(tmp_path / "others.sqlite", write=True) as store:
            plan = msgspec.structs.replace(one.plan, matches=2)
            run_plan(plan, store, backend=LocalBackend(1), cells=cells, workers=1, signature=lambda cell: "board:2")
            assert keep_results.keep(found[0], found, store) == told
        assert [each.ours and each.ours.n for each in measured_numbers(found)["s9-t1"]] == then
        assert ("board:2" in measured_runs(papers / "s9")["s9-t1"].signature) == (then[0] == 2)
    assert measured_runs(papers / "s9")["s9-t1"].signature == "board:2"


def test_the_commands(papers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    places = ["--papers", str(papers), "--store", str(tmp_path), "--workers", "1", "--quiet"]
    main(["reproduce", "--estimate", *places, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert [each["id"] for each in found["tables"]] and all(each["matches"] > 0 for each in found["tables"])
    assert (found["claims"], found["papers"]) == ([], [])
    (papers / "s9" / "claims.toml").write_text(CLAIMS.partition('[[claim]]\ntable = "s9-t3"')[0])
    main(["reproduce", "--estimate", "--claims", *places])
    assert "what verdicts on claims take" in (said := capsys.readouterr().out) and "numbers" not in said
    one = ["--papers", str(papers), "--store", str(tmp_path / "one.sqlite"), "--workers", "1", "--quiet"]
    main(["reproduce", "s9-t1", "s9-t2", "--estimate", *one])  # the two tables have the same cells: they are played once
    with Store(tmp_path / "one.sqlite") as results:
        assert results.db.execute("SELECT count(*) FROM match").fetchone() == (4,)
    capsys.readouterr()
    main(["reproduce", "s9-t2", "--until-decided", "0.000001", *places])
    assert "the same command goes on" in capsys.readouterr().out
    for wrong, why in (
        (["s9-t1", "s9-t2"], "one table at a time"),
        (["--until-decided", "0"], "hours above 0"),
        (["--estimate", "--sims", "5"], "their own budgets"),
        (["--estimate", "--seconds", "-1"], "--seconds must be above 0"),
        (["--estimate", "--store", str(tmp_path / "x.txt")], "neither a folder"),
    ):
        with pytest.raises(SystemExit) as stop:
            main(["reproduce", *wrong, "--papers", str(papers)])
        assert stop.value.code == 2 and why in capsys.readouterr().err
