"""Verdicts, claims and the house style of intervals: against scipy, by simulation, and on the papers' own numbers."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paidia.core.errors import RuleError
from paidia.report.estimates import MINIMUM, bootstrap_difference, from_to, mean_of, share, share_difference, share_of_pairs
from paidia.report.papers.claims import Claim, Told, decide, judge_claims, load_claims, printed_values
from paidia.report.papers.pages import summary_lines, write_pages
from paidia.report.papers.printed import read_printed, tables
from paidia.report.papers.verdicts import FEWEST, Case, judge, p_value
from paidia.report.statistics import Interval
from paidia.report.tables import Estimate, Number, TextTable

PAPERS = Path(__file__).parents[2] / "papers"


def case(wins: int, n: int, value: float, *, half: float | None = None, runs: int = 500, margin: float = 10.0) -> Case:
    mean = 100.0 * wins / n
    return Case(Interval(mean, mean, mean, n), value, half, runs, margin)


@given(st.integers(1, 400), st.data())
def test_shares_stay_in_their_range(n: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, n))
    found = share(n, wins)
    assert 0.0 <= found.low <= found.mean <= found.high <= 1.0
    assert found.high > found.low  # certainty never comes from a few matches that ended alike
    pairs = data.draw(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=60))
    paired = share_of_pairs(len(pairs), sum(pairs), sum(p * p for p in pairs))
    assert 0.0 <= paired.low <= paired.mean <= paired.high <= 1.0 and paired.high > paired.low
    gap = share_difference(found, paired)
    assert -1.0 <= gap.low <= gap.mean <= gap.high <= 1.0


def test_four_of_four_wins() -> None:
    assert from_to(share(4, 4).scaled(100.0)) == "100.0"  # too few for an interval
    assert from_to(share(10, 10).scaled(100.0)) == "100.0 (72.2 to 100.0)"
    assert from_to(share_of_pairs(2, 1.0, 0.5)) == "0.5"
    assert MINIMUM == 10 and FEWEST == 20


def test_intervals_cover_what_they_should() -> None:
    """Of 95 % intervals about 95 % hold the truth, whatever the share and with pairs that hang together."""
    generator = np.random.default_rng(5)
    for truth in (0.03, 0.3, 0.5, 0.9):
        wins = generator.binomial(40, truth, size=2000)
        covered = [share(40, w).low <= truth <= share(40, w).high for w in wins.tolist()]
        assert 0.92 < np.mean(covered) <= 0.995, truth
        first = generator.random((2000, 20)) < truth
        second = np.where(generator.random((2000, 20)) < 0.7, first, generator.random((2000, 20)) < truth)
        means = (first.astype(float) + second) / 2
        intervals = [share_of_pairs(20, float(m.sum()), float((m * m).sum())) for m in means]
        assert np.mean([i.low <= truth <= i.high for i in intervals]) > 0.92, truth


def test_means_and_bootstrap() -> None:
    scipy = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    values = [1.0, 4.0, 2.0, 8.0, 5.0, 7.0, 1.0, 3.0, 9.0, 2.0, 2.0, 6.0]
    found = mean_of(len(values), sum(values), sum(v * v for v in values))
    expected = scipy.t.interval(0.95, len(values) - 1, loc=np.mean(values), scale=scipy.sem(values))
    assert (found.low, found.high) == pytest.approx(expected, rel=1e-4)
    assert not math.isfinite(mean_of(30, 60.0, 120.0).half)  # all alike: no spread to judge by
    gap = bootstrap_difference(values, [v + 1 for v in values])
    assert gap.mean == pytest.approx(-1.0) and gap.low < -1.0 < gap.high
    assert bootstrap_difference(values, values) == bootstrap_difference(values, values)


@pytest.mark.parametrize(("wins", "n", "value", "runs"), [(30, 60, 30.0, 500), (90, 100, 75.0, 100), (12, 40, 50.0, 200)])
def test_p_values_are_near_those_of_the_score_test(wins: int, n: int, value: float, runs: int) -> None:
    scipy = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    theirs = round(runs * value / 100)
    table = [[wins, n - wins], [theirs, runs - theirs]]
    expected = scipy.chi2_contingency(table, correction=False).pvalue
    assert math.log(p_value(case(wins, n, value, runs=runs))) == pytest.approx(math.log(expected), rel=0.35)


def test_false_alarms_in_a_whole_table() -> None:
    """100 tables of 60 cells without any difference: at most about 5 of them may hold a "disagree"."""
    generator = np.random.default_rng(11)
    alarms = 0
    for _ in range(100):
        truths = generator.uniform(0.05, 0.95, 60)
        cells = [case(int(generator.binomial(60, t)), 60, 100.0 * generator.binomial(500, t) / 500, runs=500) for t in truths]
        alarms += any(verdict.word == "disagree" for verdict in judge(cells))
    assert alarms <= 11


def test_a_false_agreement_is_rare() -> None:
    """At the edge of the margin, 10 points apart, "agree" comes in at most about 5 of 100 cells."""
    generator = np.random.default_rng(12)
    agreed = 0
    for _ in range(1000):
        cell = case(int(generator.binomial(2000, 0.6)), 2000, 100.0 * generator.binomial(2000, 0.5) / 2000, runs=2000)
        agreed += judge([cell])[0].word == "agree"
    assert agreed <= 70


def test_one_clear_difference_is_found_among_many() -> None:
    cells = [case(30, 60, 50.0) for _ in range(100)]
    cells[40] = case(55, 60, 20.0)
    words = [verdict.word for verdict in judge(cells)]
    assert words[40] == "disagree" and words.count("disagree") == 1
    # one cell at 2 % is a difference alone, and none among a hundred
    border = case(36, 60, 44.0)
    assert 0.01 < p_value(border) < 0.05
    assert judge([border])[0].word == "disagree"
    assert judge([border, *cells[:40]])[0].word == "undecided"


def test_more_matches_decide() -> None:
    cell = case(30, 60, 50.0, half=4.4)
    (before,) = judge([cell])
    assert before.word == "undecided" and before.more > 0
    n = 60 + before.more
    (after,) = judge([Case(Interval(50.0, 50.0, 50.0, n), 50.0, 4.4, 500, 10.0)])
    assert after.word == "agree"


def test_no_claim_contradicts_its_own_paper() -> None:
    """Each sentence fits the printed numbers: nearly all are proven by them, none is refuted, all name existing columns."""
    count = {"holds": 0, "undecided": 0}
    for folder in sorted(path for path in PAPERS.iterdir() if path.is_dir()):
        claims = load_claims(folder)
        assert claims, folder
        for judged in judge_claims(claims, printed_values(read_printed(folder / "printed.csv"))):
            assert judged.verdict in count, (judged.claim.text, judged.verdict, judged.numbers)
            count[judged.verdict] += 1
    assert count["holds"] >= 70 and count["undecided"] <= 8


def test_claims_by_hand() -> None:
    values = {("t", game, "A", "B"): Told(mean, n) for game, mean, n in
              (("x", 70.0, 200), ("y", 50.0, 200), ("z", 20.0, 200), ("few", 100.0, 5))}  # fmt: skip

    def word(**keys: object) -> str:
        (judged,) = judge_claims([Claim(**{"table": "t", "text": "", "left": "A v B", "right": 50.0, **keys})], values)  # type: ignore[arg-type]
        return judged.verdict

    assert word(relation=">", game="x") == "holds" and word(relation="<", game="x") == "does not hold"
    assert word(relation=">", game="y") == "undecided" and word(relation="=", game="y", margin=10.0) == "holds"
    assert word(relation=">=", game="z") == "does not hold" and word(relation=">=", game="y") == "holds"
    assert word(relation=">", game="few") == "undecided" and word(relation=">", game="none") == "not run"
    assert word(relation=">", game="each", least=1) == "holds" and word(relation=">", game="each", least=4) == "does not hold"
    assert word(relation=">", game="each", least=2) == "undecided"


@pytest.mark.parametrize(
    ("relation", "theirs", "ours", "n", "word"),
    [
        (">", 65.0, 50.0, 2_000, "does not hold"),  # 15 points in the paper, surely less than 10 here
        (">", 65.0, 50.0, 100, "undecided"),  # 10 points may well lie between
        (">", 58.0, 50.0, 2_000, "undecided"),  # the paper's own 8 points do not matter: ours may be 1 and the sentence true
        (">", 65.0, 56.0, 2_000, "holds"),  # less than in the paper, and more than nothing
        ("<", 35.0, 50.0, 2_000, "does not hold"),
        ("<", 42.0, 50.0, 2_000, "undecided"),
        ("<", 35.0, 44.0, 2_000, "holds"),
    ],
)
def test_equal_is_not_more_where_the_papers_is(relation: str, theirs: float, ours: float, n: int, word: str) -> None:
    claim = Claim(table="t", text="", left="A", right="B", relation=relation, game="x")  # type: ignore[arg-type]
    own = {("t", "x", "A", ""): Told(ours, n), ("t", "x", "B", ""): Told(50.0, n)}
    printed = {("t", "x", "A", ""): Told(theirs, 500), ("t", "x", "B", ""): Told(50.0, 500)}
    (judged,) = judge_claims([claim], own, printed)
    assert judged.verdict == word
    assert (judged.reason == "ours are less than 10 points apart") == (word == "does not hold")
    (alone,) = judge_claims([claim], own)
    assert alone.verdict == ("holds" if word == "holds" else "undecided")


def test_games_that_were_not_played_decide_nothing() -> None:
    """Two of eight games: a claim about seven of them is neither true nor false yet."""
    claim = Claim(table="t", text="", left="A v B", right=50.0, relation=">", game="each", least=7)
    printed = {("t", f"g{n}", "A", "B"): Told(60.0, 500) for n in range(8)}
    own = {("t", f"g{n}", "A", "B"): Told(90.0, 500) for n in range(2)}
    (judged,) = judge_claims([claim], own, printed)
    assert (judged.verdict, judged.reason) == ("undecided", "certain in 2 of the 7 games it needs")
    lost = {("t", f"g{n}", "A", "B"): Told(10.0, 500) for n in range(2)}
    (judged,) = judge_claims([claim], lost, printed)
    assert judged.verdict == "does not hold"  # seven of eight cannot be reached any more


def test_a_wrong_key_in_claims_is_told(tmp_path: Path) -> None:
    (tmp_path / "claims.toml").write_text('[[claim]]\ntable = "t"\ntext = "x"\nleft = "A"\nis = ">"\nrigth = 3\n')
    with pytest.raises(RuleError, match="right"):
        load_claims(tmp_path)


def test_the_pages_are_those_of_the_stored_results(tmp_path: Path) -> None:
    root = PAPERS.parent
    papers = write_pages(tables(PAPERS), tmp_path)
    for name in ("results.md", *(f"results/{paper.id}.md" for paper in papers)):
        assert (root / "docs" / name).read_text(encoding="utf-8") == (tmp_path / name).read_text(encoding="utf-8"), (
            "run `make docs`"
        )
    page = (tmp_path / "results" / "s002.md").read_text(encoding="utf-8")
    assert "**holds**" in page and "±" in page and " to " in page
    assert summary_lines(papers) in (root / "README.md").read_text(encoding="utf-8"), "run `make docs`"
    assert sum(paper.counts().total() for paper in papers) == 5938 - 22 - 6 + 12  # repeated, not legible, and table 4.2 of 001


def test_csv_holds_numbers(tmp_path: Path) -> None:
    rows = [["a", Number(1234567.5), Estimate(share(50, 20).scaled(100.0))], ["b", Number(3), ""]]
    table = TextTable("t", "T", ["name", ">n", ">points %"], rows)  # type: ignore[arg-type]
    table.write_csv(tmp_path)
    with (tmp_path / "t.csv").open(newline="") as lines:
        read = list(csv.reader(lines))
    assert read[0] == ["name", "n", "points %", "points % low", "points % high"]
    assert [float(x) for x in read[1][1:]] == pytest.approx([1234567.5, 40.0, 27.61, 53.82], abs=0.01)
    assert read[2] == ["b", "3", "", "", ""]
    assert table.texts[0] == ["a", "1,234,568", "40.0 (27.6 to 53.8)"]


def test_the_surest_claim_is_tested_first_and_leaves_more_to_the_others() -> None:
    """Holm: of two claims the second has 5 % where the first is decided, and 2.5 % where it is not."""
    claims = [Claim(table="t", text=agent, left=f"{agent} v B", right=50.0, relation=">", game="x") for agent in "AC"]
    between = next(k for k in range(100, 200) if decide(claims[0], Told(k / 2, 200), Told(50.0, 0), 0.05) == "holds")
    weak = Told(between / 2, 200)
    assert decide(claims[0], weak, Told(50.0, 0), 0.025) == "undecided"

    def words(first: Told) -> list[str]:
        return [each.verdict for each in judge_claims(claims, {("t", "x", "A", "B"): weak, ("t", "x", "C", "B"): first})]

    assert words(Told(90.0, 200)) == ["holds", "holds"]
    assert words(Told(50.0, 200)) == ["undecided", "undecided"]
    assert words(Told(10.0, 200)) == ["holds", "does not hold"]
