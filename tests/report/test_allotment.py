"""Where the next matches of an average go."""

from __future__ import annotations

import math
import random
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from paidia.report.papers.allotment import Place, allot
from paidia.report.statistics import Stratum, mean_over, smooth_spread, wilson, worth_of


def place(n: int, won: int, *, seconds: float = 1.0) -> Place:
    return Place((Stratum(n, won, won),), 1, seconds)


def variance(places: list[Place], more: tuple[int, ...]) -> float:
    return sum(each.spread / (each.n + new) for each, new in zip(places, more, strict=True))


known = st.tuples(st.integers(1, 30), st.floats(0.0, 1.0)).map(lambda drawn: place(drawn[0], round(drawn[0] * drawn[1])))


@given(st.lists(known, min_size=2, max_size=3), st.integers(1, 8))
def test_no_other_way_to_deal_them_out_is_better(places: list[Place], matches: int) -> None:
    """By trying all of them, where every match takes as long."""
    found = allot(places, matches)
    assert sum(found) == matches
    ways = (way for way in product(range(matches + 1), repeat=len(places)) if sum(way) == matches)
    assert math.isclose(variance(places, tuple(found)), min(variance(places, way) for way in ways), rel_tol=1e-9)


def test_in_the_long_run_numbers_are_as_neyman_says() -> None:
    places = [place(10, 5, seconds=1.0), place(10, 5, seconds=4.0), place(10, 0, seconds=1.0)]
    found = allot(places, 10_000)
    wanted = [math.sqrt(each.spread / each.seconds) for each in places]
    for own, share in zip(found, wanted, strict=True):
        assert math.isclose((own + 10) / 10_030, share / sum(wanted), rel_tol=0.01)
    assert found[2] > 0.1 * found[0]  # what was always lost so far is not taken for certain


def test_what_has_no_match_comes_first_and_pairs_are_whole() -> None:
    half = Stratum(50, 25, 25)
    places = [Place((half, half), 2, 1.0), Place((), 2, 100.0), Place((half,), 2, 100.0)]
    assert allot(places, 4) == [0, 2, 2]
    assert allot(places, 5) == [2, 2, 2]
    assert allot([], 5) == []


def test_intervals_hold_what_they_promise_and_averages_err_less() -> None:
    """Twenty games, half of them nearly always lost or won, played again and again: dealt out by what was seen, matches give an
    average whose 95 % interval holds the truth, and that errs less than with the same number everywhere.
    """
    draw = random.Random(1)
    truth = [0.0, 0.0, 0.0, 0.02, 0.02, 0.05, 0.95, 0.98, 1.0, 1.0, *(0.2 + 0.06 * i for i in range(10))]
    mean = sum(truth) / len(truth)
    runs, inside, errors, plain = 400, 0, 0.0, 0.0
    for _ in range(runs):
        won = [[sum(draw.random() < p for _ in range(5)), 5] for p in truth]
        even = [sum(draw.random() < p for _ in range(40)) for p in truth]
        for _ in range(7):
            for own, p, new in zip(won, truth, allot([place(n, w) for w, n in won], 100), strict=True):
                own[0] += sum(draw.random() < p for _ in range(new))
                own[1] += new
        games = [[Stratum(n, w, w)] for w, n in won]
        worth = worth_of(games)
        found = wilson(worth, worth * mean_over(games))
        inside += found.low <= mean <= found.high
        errors += (found.mean - mean) ** 2
        plain += (sum(even) / 40 / len(truth) - mean) ** 2
    assert inside >= 0.93 * runs
    assert errors < 0.9 * plain


def test_the_spread_is_never_nothing() -> None:
    assert all(smooth_spread(Stratum(n, won, won)) > 0.0 for n in range(1, 50) for won in (0, n))
