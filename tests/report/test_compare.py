"""Verdicts on cells, and the papers' tables as a whole."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from paidia.cli.main import main
from paidia.core.errors import RuleError, UnknownName
from paidia.experiment.budgets import read_table
from paidia.experiment.plan import AgentEntry, PaperTable
from paidia.experiment.store import Store
from paidia.experiment.trajectories import Condensed
from paidia.players.registry import agent_ids
from paidia.report.papers.compare import compare, compare_table
from paidia.report.papers.facts import facts_of
from paidia.report.papers.figures import draw_figures, figure_groups, read_shapes, save_groups
from paidia.report.papers.measured import measured_numbers, save_measured
from paidia.report.papers.pages import read_papers, write_pages
from paidia.report.papers.printed import Printed, Table, find_table, papers_folder, read_printed, table_order, tables
from paidia.report.statistics import Stratum, wilson
from paidia.report.summary import Group, group_cells
from paidia.report.tables import cell_text
from paidia.report.text import comparison_rows
from paidia.report.usage import Usage

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
        match={"moves": n * 10.0, "seconds": n * 1.0},
        sides=(
            {"sims_per_second": n * 100.0, "median_simulations": n * 20.0, "mean_simulations": n * 33.0},
            {"sims_per_second": n * 50.0, "median_simulations": n * 10.0},
        ),
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
        (printed(60.0, 4.3), group(19, 1), "undecided"),  # nothing is said about fewer than 20 matches
        (printed(60.0, 4.3), group(2, 0), "undecided"),
        (printed(100.0, 0.0), group(500, 500), "agree"),
        (printed(100.0, None), group(500, 480), "agree"),  # a difference, but none that matters
        (printed(100.0, None), group(500, 440), "disagree"),
        (printed(99.2, None), group(30, 30), "agree"),
        (printed(99.2, None), group(20, 20), "undecided"),
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
    # 10 points of margin at 90 %: hypot(1.645 sqrt(0.25 / n), 4.4 * 1.645 / 1.96) = 10 gives n of about 78
    assert 25 <= found.more <= 32 and found.reason == "too few matches"
    (wide,) = compare([printed(50.0, 12.0)], [group(50, 25)])
    assert wide.verdict == "undecided" and wide.more == 0 and "the paper's own interval" in wide.reason


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
    rows = [printed(60.0, 5.0, game=game) for game in ("hex", "go", "average")]
    assert [each.verdict for each in compare(rows, groups)] == ["agree", "agree", "undecided"]  # 4 points for an average
    assert [each.verdict for each in compare(rows, groups[:2])] == ["agree", "not run", "partial"]
    rate = compare([printed(50.0, None, metric="sims_per_tick", agent="B", opponent="")], groups)[0].ours
    assert rate is not None
    assert rate.mean == pytest.approx(10.0)  # the opponent's own


def test_a_round_robin_needs_all_opponents() -> None:
    met = [group(500, 250, agent="A", opponent="B"), group(500, 250, agent="C", opponent="A")]
    row = printed(50.0, 5.0, opponent="all-others")
    assert compare([row], met, rivals=["A", "B", "C"])[0].verdict == "agree"
    assert compare([row], met[:1], rivals=["A", "B", "C"])[0].verdict == "partial"


def test_every_game_counts_alike_in_an_average() -> None:
    """Also where one of them was played more often; and what games differ by does not widen the interval."""
    (average,) = compare([printed(60.0, 5.0, game="average")], [group(300, 270), group(100, 10, game="go")])
    assert average.ours is not None and average.form is not None
    assert (average.ours.mean, average.ours.n) == (pytest.approx(50.0), 400)
    assert average.form.mean == pytest.approx(50.0)
    by_hand = 196 * (0.5**2 * (0.9 * 0.1 / 300 + 0.1 * 0.9 / 100)) ** 0.5
    assert average.ours.half == pytest.approx(by_hand, rel=0.05)


def test_levels_and_seats_are_strata_of_an_average() -> None:
    """The first seat wins and the second loses, in all levels: whoever looks at seats knows it nearly exactly, from both sides. A
    level that was played more often than the others does not count more.
    """

    def level(game: str, wins: tuple[int, int], n: int = 10, *, apart: bool = True) -> Group:
        whole = group(2 * n, sum(wins), game=game)
        strata = tuple(Stratum(n, won, won) for won in wins)
        return msgspec.structs.replace(whole, strata=strata) if apart else whole

    levels = [level(game, (10, 0)) for game in ("hex", "go") for _ in range(3)]
    joined = group_cells(levels)
    assert [len(own.strata) for own in joined] == [6, 6] and [own.n for own in joined] == [60, 60]
    rows = [printed(50.0, 5.0, game="average"), printed(50.0, 5.0, game="average", agent="B", opponent="A")]
    known, turned = (each.ours for each in compare(rows, joined))
    (plain,) = compare(rows[:1], group_cells([level(game, (10, 0), apart=False) for game in ("hex", "go")]))
    assert known is not None and turned is not None and plain.ours is not None
    assert (known.mean, known.n) == (pytest.approx(50.0), 120) and known.worth == pytest.approx(turned.worth)
    assert known.gain > 5.0 and plain.ours.gain == pytest.approx(1.0)
    more = [level("hex", (10, 10)), level("hex", (0, 0), 90), level("go", (5, 5))]
    (average,) = compare(rows[:1], group_cells(more))
    assert average.ours is not None and average.ours.mean == pytest.approx(50.0)


def test_an_average_is_over_all_games_of_the_plan() -> None:
    """004, table 12: four games are printed, and the average of fourteen. The four, exactly as printed, are 40.0 %."""
    table = find_table(PAPERS, "s004-t12")
    assert len(table.games()) == 14
    rows = [row for row in table.printed() if row.agent == "SIM-RND-4"]
    shares = {row.game: row.value for row in rows if row.game != "average"}
    names = {"agent": "SIM-RND-4", "opponent": "OFFLINE"}
    shown = [fits(table, group(500, round(5 * share), game=game, **names)) for game, share in shares.items()]
    found = {each.printed.game: each for each in compare_table(table, shown) if each.printed in rows}
    assert {found[game].verdict for game in shares} == {"agree"}, found
    assert found["average"].ours is not None
    assert found["average"].ours.mean == pytest.approx(sum(shares.values()) / 4, abs=0.1)  # 40.0, printed 36.4
    assert found["average"].verdict == "partial"
    # table 8 prints the other ten for the same agents
    eighth = [row for row in find_table(PAPERS, "s004-t8").printed() if row.agent == "SIM-RND-4" and row.game != "average"]
    rest = [fits(table, group(500, round(5 * r.value), game=r.game, **names)) for r in eighth if r.game not in shares]
    found = {each.printed.game: each for each in compare_table(table, shown + rest) if each.printed in rows}
    assert found["average"].verdict == "agree"


def test_the_best_column_is_the_higher_of_two() -> None:
    """000, table 5: numbers of table 1 give the printed column back, and its average."""
    table = find_table(PAPERS, "s000-t5")
    first = find_table(PAPERS, "s000-t1").printed()
    cells = [
        fits(table, group(500, round(5 * row.value), game=row.game, agent=row.agent, opponent="P_BASE"))
        for row in first
        if row.agent in ("P_NMC", "P_LSI") and row.game != "average"
    ]
    best = [each for each in compare_table(table, cells) if each.printed.agent == "Best(P_NMC,P_LSI)"]
    assert len(best) == 15
    for each in best:
        assert each.ours is not None and each.verdict == "agree", each.printed.game
        assert each.ours.mean == pytest.approx(each.printed.value, abs=0.11)
    lacks = [cell for cell in cells if (cell.game, cell.agent) != ("gdl:quad", "P_LSI")]
    verdicts = {e.printed.game: e.verdict for e in compare_table(table, lacks) if e.printed.agent == "Best(P_NMC,P_LSI)"}
    assert verdicts["gdl:quad"] == "not run" and verdicts["average"] == "partial"
    few = [fits(table, group(19, 10, game="gdl:quad", agent="P_LSI", opponent="P_BASE"))]  # the better of two chance results
    verdicts = {e.printed.game: e.verdict for e in compare_table(table, lacks + few) if e.printed.agent == "Best(P_NMC,P_LSI)"}
    assert verdicts["gdl:quad"] == "not run" and verdicts["average"] == "partial"


def fits(table: Table, cell: Group, *, clock: bool = False) -> Group:
    """The group with the budgets of a table's paper."""
    allowed = [table.budgets()[cell.game, name] for name in (cell.agent, cell.opponent or "") if name]
    return msgspec.structs.replace(cell, budgets=tuple(next(b for b in own if bool(b[1]) == clock) for own in allowed))


def test_budgets_that_are_not_the_papers_get_no_verdict() -> None:
    table = find_table(PAPERS, "s000-t1")
    cell = group(500, 40, game="gdl:breakthrough", agent="P_MAB", opponent="P_BASE")
    row = next(r for r in table.printed() if (r.game, r.agent) == ("gdl:breakthrough", "P_MAB"))

    def verdict(*cells: Group) -> str:
        return next(each.verdict for each in compare_table(table, list(cells)) if each.printed == row)

    assert verdict(fits(table, cell)) == "agree"
    assert verdict(fits(table, cell, clock=True)) == "agree"
    for budgets in (((100, 0.0, 0.0), (100, 0.0, 0.0)), ((0, 1.0, 0.0), (0, 1.0, 0.0)), ((0, 2.0, 1.0), (0, 2.0, 1.0))):
        other = msgspec.structs.replace(cell, budgets=budgets)
        assert verdict(other) == "other budget"
        assert verdict(other, fits(table, cell)) == "agree"  # the others are left out


def test_agents_get_the_rates_that_are_printed_for_them() -> None:
    """000: P_NMC has its own rate in table 4 too, LocalP_NMC that of P_NMC, CadiaPlayer's place that of P_BASE."""
    fourth, fifth = find_table(PAPERS, "s000-t4").budgets(), find_table(PAPERS, "s000-t5").budgets()
    rates = {(row.game, row.agent): int(row.value) for row in find_table(PAPERS, "s000-t2").printed()}
    clock = (0, 1.0, 1.0)
    for (game, name), own in [*fourth.items(), *fifth.items()]:
        whose = {"LocalP_NMC": "P_NMC", "CadiaPlayer": "P_BASE"}.get(name, name)
        assert own == {clock, (rates[game, whose], 0.0, 0.0)}
    assert fourth["gdl:quad", "P_NMC"] != fourth["gdl:quad", "P_BASE"]


def test_the_papers_clock_has_its_start_clock(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "s.sqlite"
    papers = tmp_path / "papers" / "s002"
    papers.mkdir(parents=True)
    text = (PAPERS / "s002" / "t1.toml").read_text()
    games = text[text.index("games = [") : text.index("]") + 1]
    (papers / "t1.toml").write_text(text.replace(games, 'games = ["hex@3"]') + "clock = 0.01\nstart_clock = 0.02\n")
    (papers / "printed.csv").write_text("table,metric,game,agent,opponent,value,interval,runs\n")
    options = ["--scale", "0.004", "--workers", "1", "--quiet", "--papers", str(papers.parent), "--store", str(store)]
    main(["reproduce", "s002-t1", "--time", "0.01", *options])
    main(["reproduce", "s002-t1", "--time", "0.01", "--start-time", "0", *options])
    main(["reproduce", "s002-t1", "--sims", "5", *options])
    capsys.readouterr()
    with Store(store) as results:
        clocks = {row[:3] for row in results.db.execute("SELECT simulations, seconds, start_time FROM agent")}
    assert clocks == {(0, 0.01, 0.02), (0, 0.01, 0.0), (5, 0.0, 0.0)}


def test_intervals_and_rates_as_the_paper_has_them() -> None:
    """S1: 1.96 sqrt(p (1 - p) / n) and means over ticks; S3: the sample deviation and medians."""
    alone = group(75, 30, opponent=None)
    rows = [printed(40.0, 11.1, opponent="", runs=75), printed(33.0, None, opponent="", metric="sims_per_tick")]
    s1 = PaperTable(table="t", title="", paper="", settings="", interval="binomial", sims="mean")
    wins, sims = compare(rows, [alone], paper=s1)
    assert wins.form is not None and sims.ours is not None
    assert wins.form.half == pytest.approx(196 * (0.4 * 0.6 / 75) ** 0.5)
    assert (sims.ours.mean, sims.verdict) == (33.0, "rate")
    wins, sims = compare(rows, [alone], paper=msgspec.structs.replace(s1, interval="sample", sims="median"))
    assert wins.form is not None and wins.ours is not None and sims.ours is not None
    assert wins.form.half == pytest.approx(196 * (0.4 * 0.6 / 74) ** 0.5)
    assert (wins.ours.low, wins.ours.high) == pytest.approx((29.66, 51.31), abs=0.01)  # Wilson's, in our own column
    assert sims.ours.mean == 20.0
    scored = msgspec.structs.replace(alone, scores=(75, 150.0, 600.0))
    (score,) = compare([printed(2.0, 0.5, opponent="", metric="score")], [scored])
    assert score.form is not None and score.verdict == "undecided"  # the paper's own interval is as wide as the margin
    assert score.form.half == pytest.approx(1.96 * ((600 - 75 * 4) / 74 / 75) ** 0.5)


def test_levels_that_were_played_more_often_do_not_count_more_in_their_game(tmp_path: Path) -> None:
    """Ten runs on a level, all won with 9 points, and thirty on another, all lost with 1 to 3."""

    def level(n: int, wins: int, scores: list[float]) -> Group:
        told = Stratum(n, sum(scores), sum(score * score for score in scores))
        return msgspec.structs.replace(
            group(n, wins, opponent=None), strata=(Stratum(n, wins, wins),), scored=(told,), scores=tuple(told), late=n - wins
        )

    cells = [level(10, 10, 10 * [9.0]), level(30, 0, 10 * [1.0, 2.0, 3.0])]
    rows = [printed(50.0, 5.0, opponent=""), printed(5.5, 0.5, opponent="", metric="score")]
    share, score = (each.ours for each in compare(rows, group_cells(cells)))
    assert share is not None and score is not None
    assert (share.mean, share.n, share.worth) == (pytest.approx(50.0), 40, pytest.approx(30.0))  # 4 / (1/10 + 1/30)
    assert (share.low, share.high) == tuple(pytest.approx(100 * end) for end in (wilson(30, 15).low, wilson(30, 15).high))
    assert (score.mean, score.n) == (pytest.approx(5.5), 40)
    copied("s001", tmp_path)
    save_groups(tmp_path / "s001", "s001-t5.4", cells)
    (kept,) = figure_groups(tmp_path / "s001")["s001-t5.4"]
    assert (kept.n, kept.wins, kept.late) == (40, 20, 20)
    same = [level(10, 10, 10 * [9.0]), level(10, 0, 10 * [1.0])]
    share, _ = (each.ours for each in compare(rows, group_cells(same)))
    assert share is not None and share.worth is None


def test_few_scores_decide_nothing() -> None:
    row = printed(0.3, 0.04, opponent="", metric="score")
    for n, verdict, more in ((5, "undecided", 15), (25, "disagree", 0)):
        alike = msgspec.structs.replace(group(n, 0, opponent=None), scores=(n, 0.0, 0.0))  # every run ended with 0
        (found,) = compare([row], [alike])
        assert (found.verdict, found.more) == (verdict, more)
    # five runs: 1, 1, 1, 1, 2; 1.96 s / sqrt(n) is 0.39, but Student's quantile is 2.776, hence 0.56
    five = msgspec.structs.replace(group(5, 0, opponent=None), scores=(5, 6.0, 8.0))
    (found,) = compare([printed(0.60, 0.02, opponent="", metric="score")], [five])
    assert found.verdict == "undecided" and found.ours is not None
    assert found.ours.half == pytest.approx(0.555, abs=0.001)


def test_most_used_combinations() -> None:
    used = [(["1.4", "1"], 6), (["0.6", "10"], 4)]
    whole = Condensed("nmc", ["K", "D"], [["0.6", "1.4"], ["1", "10"]], 1, [[[7, 3], [6, 4]]], used)
    usage = {("vgdl:aliens", "SA"): Usage("vgdl:aliens", "SA", 5, whole)}
    rows = [printed(1.4, None, metric="most_used_K", game="vgdl:aliens", agent="SA", opponent=""),
            printed(10.0, None, metric="most_used_D", game="vgdl:aliens", agent="SA", opponent=""),
            printed(10.0, None, metric="most_used_D", game="vgdl:bait", agent="SA", opponent="")]  # fmt: skip
    found = compare(rows, [], usage=usage)
    assert [(c.verdict, c.ours and c.ours.mean, c.ours and c.ours.n) for c in found] == [
        ("same", 1.4, 5), ("other", 1.0, 5), ("not run", None, None),
    ]  # fmt: skip
    columns, cells = comparison_rows(found)
    text = [[cell_text(cell) for cell in row] for row in cells]
    assert text[0][columns.index("agent")] == "SA: K" and text[1][columns.index(">ours")] == "1"


def test_agents_of_all_plans_are_known_or_not_available() -> None:
    """The stable ids of agents; whatever else a plan names is a program of others, and says so."""
    words = """
        random uct ucb1-tuned mast nst rave grave hrave progressive-history ppa ppaf ppafm ppafm-learned p-base offline
        sub-opt-2 sub-opt-4 sub-opt-6 p-mab p-he p-nmc local-p-nmc p-lsi p-ea ntbea-2 ntbea-4 ntbea-6 cma-es-4 cadia-style
        sample-mcts solmcts mcts-thesis maastcts2 maastcts2-ntbea-2 maastcts2-ntbea-3 maastcts2-ntbea-5 maastcts2-sim-rnd-2
        maastcts2-sim-rnd-3 maastcts2-sim-rnd-5 iw-1 iw-3-2 iw-2 2bfs bfs-safe one-step rhea rhea-shift olets hybrid
        sa-mcts-nmc sa-mcts-ea sa-mcts-ntbea
    """
    stable = {*words.split(), *(f"{kind}-rnd-{n}" for kind in ("game", "turn", "sim", "state") for n in (2, 4, 6))}
    switches = {"bfti", "la", "nbp", "ph", "nst", "tr", "kbe", "dgd", "td", "td_lambda", "kbe_always", "tr_bfti", "gamma"}
    absent = set()
    for table in tables(PAPERS):
        for entry in [*table.plan.agents, *table.plan.opponents]:
            agent = AgentEntry(id=entry) if isinstance(entry, str) else entry
            if not agent.available:
                absent.add(agent.name)
                assert agent.name in table.unavailable
                continue
            assert agent.id in stable | set(agent_ids()), (table.id, agent.id)
            if agent.id in ("maastcts2", "mcts-thesis"):
                assert set(agent.settings) <= switches
                assert agent.settings.get("td", "off") in ("off", "td", "tdir", "tdms", "tdkbe")
        if table.plan.budget_table:  # every agent has a budget in every game
            budgets = read_table(table.plan.budget_table, table.file.parent, str(table.file))
            entries = [AgentEntry(id=a) if isinstance(a, str) else a for a in [*table.plan.agents, *table.plan.opponents]]
            names = [a.budget_of or a.name or a.id for a in entries if a.available]
            for game in table.plan.games:
                assert isinstance(game, str)
                assert all((game, name) in budgets or (game, "") in budgets for name in names), (table.id, game)
    assert absent == {"YBCriber", "SUB-OPT"}


def test_the_listing_says_what_is_not_available(capsys: pytest.CaptureFixture[str]) -> None:
    main(["reproduce", "--json"])
    rows = {row["id"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["s001-t5.2"]["unavailable"] == ["YBCriber"] and rows["s002-t1"]["unavailable"] == []
    assert not any("ybcriber" in missing.lower() for missing in rows["s001-t5.2"]["missing"])
    assert rows["s003-t4"]["cells"] == 120


def copied(paper: str, folder: Path) -> list[Table]:
    """A paper of which nothing has been measured."""
    (folder / paper).mkdir()
    for file in (PAPERS / paper).glob("*"):
        if file.name not in ("measured.csv", "runs.csv", "figures.csv", "trees.csv"):
            (folder / paper / file.name).write_bytes(file.read_bytes())
    return tables(folder)


def test_results_page(tmp_path: Path) -> None:
    found = copied("s002", tmp_path)
    write_pages(found, tmp_path / "docs")
    index = (tmp_path / "docs" / "results.md").read_text()
    assert "agree with 0 of them and disagree with 0; 0 are undecided, 32 not run" in index
    (table,) = (table for table in found if table.id == "s002-t1")
    numbers = [number for number in table.printed() if number.game in ("atarigo", "nogo")]  # 66.0 and 49.4 % of 500
    own = compare(numbers, [group(500, 330, game="atarigo", agent="PPAFM", opponent="PPAF"),
                            group(500, 50, game="nogo", agent="PPAFM", opponent="PPAF")])  # fmt: skip
    save_measured(table, own, budget="10 simulations", builds=[("0.1.0", "77", 500)], command="paidia reproduce s002-t1")
    papers = write_pages(found, tmp_path / "docs")
    index = (tmp_path / "docs" / "results.md").read_text()
    page = (tmp_path / "docs" / "results" / "s002.md").read_text()
    assert "| [s002-t1](results/s002.md#s002-t1) | PPAFM with a uniform" in index
    assert "| 10 simulations | agree: 1, disagree: 1, not run: 6 |" in index
    assert "| game | PPAFM v PPAF | matches |" in page and "10 simulations per move" in page
    assert "| atarigo | 66.0 (61.7 to 70.0) **=** 66.0 ± 4.1 | 500 |" in page
    assert "| nogo | 10.0 (7.7 to 12.9) **≠** 49.4 ± 4.4 | 500 |" in page
    assert "`paidia reproduce s002-t1 --store s002-t1.sqlite --game atarigo --agent PPAFM --opponent PPAF`" in page
    assert page.index("## Claims") < page.index("### s002-t1") < page.index("## What differs, and why")
    assert papers[0].counts() == {"agree": 1, "disagree": 1, "not run": 30}
    save_measured(table, [], budget="", builds=[], command="")  # what is measured anew replaces what was there
    assert read_papers(found)[0].counts() == {"not run": 32}


def test_scores_rates_and_values_are_kept(tmp_path: Path) -> None:
    """What comes back from the files is what was saved: the same verdicts and the same intervals."""
    found = {table.id: table for table in copied("s003", tmp_path)}
    table = found["s003-t2b"]
    rows = [row for row in table.printed() if row.game == "vgdl:aliens"]
    scored = [
        msgspec.structs.replace(
            group(100, 0, game=row.game, agent=row.agent, opponent=None),
            scores=(100, 100.0 * row.value, 100.0 * row.value**2 + 900.0),
        )
        for row in rows
    ]
    own = compare(rows, scored)
    save_measured(table, own, budget="10 simulations", builds=[("1", "2", 3)], command="x")
    kept = [each for each in measured_numbers(list(found.values()))["s003-t2b"] if each.ours is not None]
    assert [each.verdict for each in kept] == [each.verdict for each in own]
    for before, after in zip(own, kept, strict=True):
        assert before.ours is not None and after.ours is not None
        assert (after.ours.low, after.ours.high) == pytest.approx((before.ours.low, before.ours.high), abs=0.02)
    lines = (tmp_path / "s003" / "measured.csv").read_text().splitlines()
    (tmp_path / "s003" / "measured.csv").write_text("\n".join([lines[0], lines[1].replace("aliens", "nothing")]))
    with pytest.raises(RuleError, match=r"prints no such number: s003-t2b.*--no-play --save"):
        measured_numbers(list(found.values()))
    (tmp_path / "s003" / "measured.csv").write_text("\n".join([lines[0], lines[1].replace(",100,", ",many,")]))
    with pytest.raises(RuleError, match=r"measured.csv:2: not a measured number"):
        measured_numbers(list(found.values()))
    (tmp_path / "s003" / "measured.csv").write_text("table,ours\n")
    with pytest.raises(RuleError, match="no column 'metric'"):
        measured_numbers(list(found.values()))


def test_facts_are_asked_of_paidia() -> None:
    facts = facts_of(PAPERS / "s004")
    assert len(facts) == 178
    other = [fact for fact in facts if fact.verdict != "same"]
    assert [(fact.table, fact.subject, fact.value) for fact in other] == [("s004-t11", "epsilon", "0.5")]  # printed for 0.05
    stated = {(fact.what, fact.subject): fact.ours for fact in facts if "feasible" not in fact.what}
    assert stated["tuned value", "K"] == "250.0" and stated["poor value", "ref"] == "inf"
    weights = {fact.subject: (fact.ours, fact.verdict) for fact in facts_of(PAPERS / "s001") if fact.what == "initial weight"}
    assert weights["npc"] == ("0.10", "same") and len(weights) == 5 and {word for _, word in weights.values()} == {"same"}
    kinds = [fact for fact in facts_of(PAPERS / "s003") if fact.verdict == "other"]
    assert [(fact.subject, fact.value, fact.ours) for fact in kinds] == [("vgdl:camelrace", "deterministic", "stochastic")]


def test_figures_are_drawn_from_what_was_kept(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    copied("s001", tmp_path)
    folder = tmp_path / "s001"
    assert [figure.files for figure in draw_figures(folder, tmp_path)] == [[], [], []]  # nothing has been played
    for lost, agent in ((0.0, "BFTI"), (400.0, "LA")):
        cells = [msgspec.structs.replace(group(10, 3 + n, game=f"vgdl:{n}", agent=agent, opponent=None), scores=(10, 5.0, 5.0),
                 late=2, sides=({"simulations": 1000.0, "lost_playouts": lost * n},)) for n in range(1, 4)]  # fmt: skip
        kept = [g for own in figure_groups(folder).values() for g in own]
        save_groups(folder, "s001-t5.4", [*kept, *cells])
    groups = figure_groups(folder)["s001-t5.4"]
    assert [(g.game, g.agent, g.n, g.wins, g.losses, g.late, g.sum("lost_playouts")) for g in groups][-1] == (
        "vgdl:3", "LA", 10, 6, 4, 2, 1200.0,
    )  # fmt: skip
    figures = draw_figures(folder, tmp_path / "images")
    assert [figure.files for figure in figures] == [[], ["s001-fig5-2.svg"], []]
    assert "3 games, 60 matches" in figures[1].note and (tmp_path / "images" / "s001-fig5-2.svg").read_text().startswith("<svg")
    (folder / "figures.csv").write_text(
        "table,game,agent,opponent,matches,points,won,late,simulations,lost\nt,g,a,,x,1,1,1,1,1\n"
    )
    with pytest.raises(RuleError, match=r"figures.csv:2: not a measured cell"):
        figure_groups(folder)


def test_round_robins_and_trees_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    copied("s004", tmp_path)
    folder = tmp_path / "s004"
    pairs = [group(20, 15, game="g", agent="A", opponent="B"), group(20, 10, game="g", agent="B", opponent="C")]
    save_groups(folder, "s004-fig5-4", pairs)
    head = "game,agent,turn,matches,trees,positions,maximum depth,tried moves,legal moves"
    (folder / "trees.csv").write_text(f"{head}\ngdl:x,A,0,4,8,10,3.5,2,4\ngdl:x,A,1,4,8,10,4.5,2,4\n")
    found = {figure.title.split(":")[0]: figure for figure in draw_figures(folder, tmp_path / "images") if figure.files}
    assert list(found) == ["Figure 5", "Figure 6", "Figure 7", "Figure 8", "Figure 9", "Figure 10", "Figure 11"]
    assert found["Figure 6"].files == ["s004-fig6-x.svg"] and found["Figure 6"].note.startswith("4 matches")
    picture = (tmp_path / "images" / "s004-fig5-4.svg").read_text()
    assert all(f">{name}<" in picture for name in "ABC") and "40 matches" in found["Figure 5"].note
    (folder / "trees.csv").write_text("game,agent\n")
    assert read_shapes(folder / "trees.csv") == {}
    (folder / "trees.csv").write_text(f"{head}\ngdl:x,A,first,4,8,10,3.5,2,4\n")
    with pytest.raises(RuleError, match="not a table of trees"):
        read_shapes(folder / "trees.csv")


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
        unknown = {row.agent for row in table.printed()} - agents - set(table.paper.best)
        assert all(set(columns) <= agents for columns in table.paper.best.values())
        assert not unknown, (table.id, unknown)
        assert {row.game for row in table.printed()} <= games | {"average"}, table.id


def test_printed_numbers_equal_the_reference(reference: Path) -> None:
    """The numbers in papers/ are those of the reference tables, cell for cell."""
    total = dict.fromkeys(("s000", "s002", "s003"), 0.0)
    for file in (reference / "paper_tables").glob("s00[023]_t*.csv"):
        with file.open(newline="") as lines:
            for row in csv.DictReader(lines):
                if row["value"] and any(word in row["metric"] for word in ("pct", "score", "iterations", "most_visited")):
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
    assert "left out, not there: game no-such-game" in done.stderr
    cells = json.loads(done.stdout)["cells"]
    assert len(cells) == 8
    assert all(cell["ours"]["n"] == 2 for cell in cells)
    with (papers / "s002" / "measured.csv").open() as lines:
        measured = list(csv.DictReader(lines))
    assert len(measured) == 8
    with (papers / "s002" / "runs.csv").open() as lines:
        assert [row["command"] for row in csv.DictReader(lines)] == ["paidia reproduce s002-t1 --scale 0.004 --sims 20"]
    assert paidia("--pages", "docs").returncode == 0
    page = (tmp_path / "docs" / "results" / "s002.md").read_text()
    assert page.startswith("# Cazenave and Diemert 2017, Memorizing the Playout Policy\n")
    one = paidia("s002-t1", "--scale", "0.008", "--sims", "20", "--game", "nogo", "--json", "--workers", "1")
    assert [(cell["printed"]["game"], cell["ours"]["n"]) for cell in json.loads(one.stdout)["cells"]] == [("nogo", 4)]
    assert "did you mean 'nogo'" in paidia("s002-t1", "--game", "nog").stderr
    assert paidia("s002-t1", "--claims").returncode == 2
    assert paidia("s002-t1", "--scale", "-1").returncode == 2
