"""Statistics against scipy, against numbers that were published, and against the papers' own tables."""

import csv
import math
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paidia.report.ratings import bradley_terry
from paidia.report.statistics import (
    Interval,
    Stratum,
    binomial,
    difference,
    formula_1,
    matches_for,
    mean_over,
    overlap,
    pearson,
    points_interval,
    pool,
    sample,
    significant,
    student,
    wilson,
    worth_of,
)

scipy_stats = pytest.importorskip("scipy.stats", reason="scipy is not installed: pip install 'paidia[report]'")

PAPERS = Path(__file__).parents[2] / "papers"


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=200))
def test_sample_interval(points: list[float]) -> None:
    found = sample(len(points), sum(points), sum(p * p for p in points))
    half = 1.96 * scipy_stats.sem(points)
    assert found.mean == pytest.approx(np.mean(points))
    assert found.half == pytest.approx(half, abs=1e-9)


@given(st.integers(1, 2000), st.data())
def test_wilson(n: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, n))
    ours = wilson(n, wins, z=scipy_stats.norm.ppf(0.975))
    theirs = scipy_stats.binomtest(wins, n).proportion_ci(method="wilson")
    assert ours.low == pytest.approx(theirs.low, abs=1e-9)
    assert ours.high == pytest.approx(theirs.high, abs=1e-9)


def test_newcombe_difference() -> None:
    """56 of 70 against 48 of 80: 0.2, interval 0.0524 to 0.3339 (Newcombe 1998, table II, method 10)."""
    found = difference(wilson(70, 56, z=1.959964), wilson(80, 48, z=1.959964))
    assert found.mean == pytest.approx(0.2)
    assert (found.low, found.high) == (pytest.approx(0.0524, abs=5e-5), pytest.approx(0.3339, abs=5e-5))
    assert significant(wilson(70, 56), wilson(80, 48))
    assert not significant(wilson(10, 9), wilson(10, 7))


def test_points_without_spread_get_a_width() -> None:
    assert points_interval(50, 50.0, 50.0).low == pytest.approx(wilson(50, 50).low)
    assert points_interval(50, 25.0, 25.0) == sample(50, 25.0, 25.0)


def _printed(paper: str, metric: str = "win_pct") -> list[dict[str, str]]:
    with (PAPERS / paper / "printed.csv").open(newline="") as lines:
        return [row for row in csv.DictReader(lines) if row["metric"] == metric]


def test_intervals_of_the_thesis() -> None:
    """Every printed interval of paper 001 is our binomial one, with its number of runs."""
    rows = [row for row in _printed("s001") if row["interval"]]
    wrong = []
    for row in rows:
        n = int(row["runs"])
        half = 100 * binomial(n, round(n * float(row["value"]) / 100)).half
        if abs(half - float(row["interval"])) > 0.06:
            wrong.append((row["table"], row["game"], row["agent"]))
    assert len(rows) > 1500
    assert wrong == [("s001-t5.11", "vgdl:chopper", "NoTR-BFTI(0.8)")]  # this cell has 74 runs


def test_intervals_of_self_adaptive_mcts() -> None:
    """Every printed win interval of paper 003 is our sample interval of 500 runs without draws."""
    rows = _printed("s003")
    for row in rows:
        n = int(row["runs"])
        wins = round(n * float(row["value"]) / 100)
        tolerance = 0.006 if n == 500 else 0.02
        assert 100 * sample(n, wins, wins).half == pytest.approx(float(row["interval"]), abs=tolerance), row
    assert len(rows) > 150


def test_average_rows_pool_all_runs() -> None:
    games = [row for row in _printed("s003") if row["table"] == "s003-t2a" and row["agent"] == "sampleMCTS"]
    parts = [(500, 5.0 * float(r["value"]), 5.0 * float(r["value"])) for r in games if r["game"] != "average"]
    (average,) = [row for row in games if row["game"] == "average"]
    found = sample(*pool(parts)).scaled(100.0)
    assert found.mean == pytest.approx(float(average["value"]), abs=0.05)
    assert found.half == pytest.approx(float(average["interval"]), abs=0.006)


def test_more_matches() -> None:
    now = binomial(100, 50)
    more = matches_for(now, 0.05)
    assert binomial(100 + more, (100 + more) / 2).half <= 0.05 < binomial(95 + more, (95 + more) / 2).half
    assert matches_for(now, 0.5) == 0


def test_overlap_as_the_papers_call_significance() -> None:
    assert overlap(Interval(1, 0, 2), Interval(3, 2, 4))
    assert not overlap(Interval(1, 0, 1.9), Interval(3, 2, 4))


def test_formula_1_points() -> None:
    """The worked example of the competition: wins, then score, then ticks."""
    results = {
        "a": (50.0, 1.0, 900.0),
        "b": (50.0, 2.0, 900.0),
        "c": (10.0, 99.0, 1.0),
        "d": (50.0, 2.0, 800.0),
    }
    assert formula_1(results) == {"d": 25, "b": 18, "a": 15, "c": 12}
    many = {str(i): (float(-i), 0.0, 0.0) for i in range(12)}
    assert [formula_1(many)[str(i)] for i in range(12)] == [25, 18, 15, 12, 10, 8, 6, 4, 2, 1, 0, 0]
    tie = formula_1({"a": (1, 1, 1), "b": (1, 1, 1), "c": (0, 0, 0)})
    assert tie == {"a": 21.5, "b": 21.5, "c": 15}


def test_pearson() -> None:
    source = random.Random(3)
    x = [source.random() for _ in range(60)]
    y = [a + source.random() for a in x]
    assert pearson(x, y) == pytest.approx(scipy_stats.pearsonr(x, y).statistic)
    assert math.isnan(pearson([1, 1], [1, 2]))


def test_bradley_terry_of_two_players_is_the_logit() -> None:
    ratings = bradley_terry(np.array([[0.0, 75.0], [25.0, 0.0]]), prior=0.0)
    gap = 400 * math.log10(3)
    assert ratings[0].mean - ratings[1].mean == pytest.approx(gap)
    # the variance of the logit of p is 1 / (n p (1 - p)); each rating carries half of the gap
    sd = 400 / math.log(10) / math.sqrt(100 * 0.75 * 0.25) / 2
    assert ratings[0].half == pytest.approx(1.96 * sd)


def test_bradley_terry_agresti_baseball() -> None:
    """Wins of seven teams of the American League 1987, and their abilities as Agresti prints them."""
    wins = np.array(
        [
            [0, 7, 9, 7, 7, 9, 11], [6, 0, 7, 5, 11, 9, 9], [4, 6, 0, 7, 7, 8, 12], [6, 8, 6, 0, 6, 7, 10],
            [6, 2, 6, 7, 0, 7, 12], [4, 4, 5, 6, 6, 0, 6], [2, 4, 1, 3, 1, 7, 0],
        ], dtype=float,
    )  # fmt: skip
    abilities = [1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0.0]
    ratings = [r.mean * math.log(10) / 400 for r in bradley_terry(wins, prior=0.0)]
    assert [r - ratings[-1] for r in ratings] == pytest.approx(abilities, abs=6e-4)


def test_bradley_terry_needs_a_chain_of_matches() -> None:
    wins = np.zeros((4, 4))
    wins[0, 1] = wins[2, 3] = 5
    with pytest.raises(Exception, match="never met"):
        bradley_terry(wins)
    all_won = bradley_terry(np.array([[0.0, 10.0], [0.0, 0.0]]))
    assert math.isfinite(all_won[0].mean)


def test_student() -> None:
    for n in [*range(2, 60), 100, 500, 10_000]:
        assert student(n) == pytest.approx(scipy_stats.t.ppf(0.975, n - 1), rel=5e-4)
    assert student(10**9) == pytest.approx(1.959964)
    assert student(1) == math.inf


def of_wins(n: int, total: float) -> list[Stratum]:
    """A game that is one stratum, without draws."""
    return [Stratum(n, total, total)]


@pytest.mark.parametrize("n", [[40] * 6, [10, 10, 10, 10, 10, 400]])
def test_what_an_average_over_games_is_worth(n: list[int]) -> None:
    """Games that differ from each other: the average varies by what happens inside them alone, as drawing them again shows; many
    matches of one game do not make up for few of another.
    """
    shares = [0.05, 0.9, 0.5, 0.98, 0.02, 0.3]
    draws = np.random.default_rng(7).binomial(n, shares, size=(20_000, len(shares)))
    averages = (draws / n).mean(axis=1)
    told = [worth_of(list(map(of_wins, n, map(float, row)))) for row in draws[:2_000]]
    p = float(np.mean(shares))
    spread = float(np.mean([p * (1 - p) / worth for worth in told]))
    assert averages.var() < spread < (1.12 if min(n) == 40 else 1.5) * averages.var()  # half a win and a loss are added
    assert min(n) < 40 or np.mean(told) > 1.8 * sum(n)


@given(st.lists(st.lists(st.tuples(st.integers(1, 50), st.floats(0, 1)), min_size=1, max_size=5), min_size=1, max_size=8))
def test_an_average_is_worth_what_it_were_if_games_were_alike_at_least(games: list[list[tuple[int, float]]]) -> None:
    parts = [[Stratum(n, n * share, n * share) for n, share in strata] for strata in games]
    weighed = [(part, 1.0 / len(parts) / len(strata)) for strata in parts for part in strata]
    alike = 1.0 / sum(weight**2 / part.n for part, weight in weighed)  # of a mean of means of means
    assert alike <= sum(part.n for part, _ in weighed) * (1 + 1e-12)
    assert worth_of(parts) >= alike * (1 - 1e-12)
    assert mean_over(parts) == pytest.approx(sum(weight * part.mean for part, weight in weighed))


def test_games_that_are_all_alike_are_worth_what_they_are() -> None:
    assert worth_of([of_wins(20, 10.0)] * 5) == pytest.approx(100.0)
    assert worth_of([of_wins(20, 20.0)] * 5) == pytest.approx(100.0)
    assert worth_of([of_wins(10, 5.0) * 2] * 5) == pytest.approx(100.0)


def test_strata_that_were_played_more_often_do_not_count_more() -> None:
    """A run that was cut inside a pair: the first seat, which wins, has a match more than the second, which loses."""
    assert mean_over([[*of_wins(3, 3.0), *of_wins(2, 0.0)], of_wins(9, 0.0)]) == pytest.approx(0.25)


def test_draws_narrow_an_average_and_sides_can_be_turned() -> None:
    points = [[1.0, 0.5, 0.5, 0.5], [0.5, 0.5, 0.0, 1.0]]
    drawn = [[Stratum(4, sum(own), sum(p * p for p in own))] for own in points]
    turned = [[Stratum(4, sum(1 - p for p in own), sum((1 - p) ** 2 for p in own))] for own in points]
    assert [[part.turned() for part in strata] for strata in drawn] == turned
    assert worth_of(turned) == pytest.approx(worth_of(drawn))
    assert worth_of(drawn) > 1.2 * worth_of([of_wins(4, strata[0].total) for strata in drawn])


def worths(n: np.ndarray, wins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`mean_over` and `worth_of` once more, for many draws (first axis) of the wins of games (second) by strata (third)."""
    games, strata = n.shape
    shares = wins / n
    own = shares.mean(axis=2)
    mean = own.mean(axis=1)
    even = strata**2 / (1 / n).sum(axis=1)
    smooth = (even * own + 0.5) / (even + 1)
    whole = smooth * (1 - smooth) * (even + 1) ** 2 / (even**2 + even + 1)
    apart = ((shares * (1 - shares) * n + whole[:, :, None]) / n**2).sum(axis=(1, 2)) / strata**2
    joined = ((own * (1 - own) * even + 2 * whole) / (even + 1) / even).sum(axis=1)
    return mean, games**2 * np.maximum(mean * (1 - mean) / np.minimum(apart, joined), 1 / (1 / even).sum())


#: How the shares of the strata of games come about: whole populations, drawn anew.
POPULATIONS = {
    "alike": lambda draw, shape: np.broadcast_to(draw.uniform(0.02, 0.98, (shape[0], 1, 1)), shape),
    "certain": lambda draw, shape: (draw.random(shape) < 0.5) * 1.0,
    "nearly certain": lambda draw, shape: np.where(draw.random(shape) < 0.5, 0.03, 0.97),
    "seldom won": lambda draw, shape: np.where(draw.random(shape) < 0.9, 0.02, 0.9),
    "mixed": lambda draw, shape: draw.beta(0.3, 0.3, shape),
    "games differ": lambda draw, shape: np.broadcast_to(draw.beta(0.3, 0.3, (*shape[:2], 1)), shape),
    "seats differ": lambda draw, shape: np.clip(
        draw.uniform(0.1, 0.9, (*shape[:2], 1)) + 0.3 * np.linspace(-1, 1, shape[2]), 0.0, 1.0
    ),
}

#: Matches of each game (first axis) and stratum.
DESIGNS = {
    **{f"14 games, 2 seats, {n}": np.full((14, 2), n) for n in (1, 2, 3, 5, 10)},
    **{f"20 games, 5 levels, {n}": np.full((20, 5), n) for n in (1, 2, 5)},
    **{f"60 games, 5 levels, {n}": np.full((60, 5), n) for n in (1, 2, 5)},
    "unequal games": np.repeat([[1], [1], [1], [2], [2], [2], [3], [3], [4], [5], [6], [8], [10], [12]], 2, axis=1),
    "cut inside a pair": np.array([[2, 1], [3, 3], [2, 2]] * 5),
    "cut between levels": np.array([[2, 2, 2, 1, 1], [3, 3, 3, 3, 3]] * 10),
}


@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_of_averages_cover_what_they_should(design: str) -> None:
    """95 % of them at least hold the truth, however few matches a stratum has and whatever the strata are like; and where strata
    differ a match is worth more than with games alone as strata.
    """
    n = DESIGNS[design]
    generator = np.random.default_rng(2_026)
    size = 20_000 if n.size < 50 else 6_000
    for name, population in POPULATIONS.items():
        shares = population(generator, (size, *n.shape))
        wins = generator.binomial(n, shares).astype(float)
        mean, worth = worths(n, wins)
        for i in range(5):
            games = [[Stratum(int(k), w, w) for k, w in zip(*own, strict=True)] for own in zip(n, wins[i].tolist(), strict=True)]
            assert (mean_over(games), worth_of(games)) == (pytest.approx(mean[i]), pytest.approx(worth[i]))
        truth = shares.mean(axis=(1, 2))
        # Wilson's interval holds what lies no further from it than 1.96 deviations, those of the truth itself
        covered = np.abs(mean - truth) <= 1.96 * np.sqrt(truth * (1 - truth) / worth) + 1e-12
        assert covered.mean() >= 0.945, (name, covered.mean())
        if name == "seats differ" and n.min() >= 5:
            games_alone = worths(n.sum(axis=1, keepdims=True), wins.sum(axis=2, keepdims=True))[1]
            assert np.median(worth / games_alone) > (1.3 if n.shape[1] == 2 else 1.12)
