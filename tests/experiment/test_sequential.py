"""The stopping rule keeps the error rates that it states, and does not depend on the order of arrival."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paidia.experiment.expand import expand
from paidia.experiment.plan import AgentEntry, Plan, Stop
from paidia.experiment.run.schedule import CellProgress
from paidia.experiment.run.sequential import log_likelihood_ratio, verdict

RULE = {"alpha": 0.05, "beta": 0.05, "effect": 0.1}


def test_llr_is_the_normal_one() -> None:
    """Against the difference of two normal log-likelihoods, term by term."""
    values = [0.5, 1.0, 0.5, 0.25, 0.0, 1.0, 0.75, 0.5]
    spread = [*values, 0.0, 1.0]
    weights = [1.0] * len(values) + [0.5, 0.5]
    centre = sum(w * x for w, x in zip(weights, spread, strict=True)) / sum(weights)
    variance = sum(w * (x - centre) ** 2 for w, x in zip(weights, spread, strict=True)) / sum(weights)
    slow = sum(((x - 0.5) ** 2 - (x - 0.6) ** 2) / (2 * variance) for x in values)
    fast = log_likelihood_ratio(len(values), sum(values), sum(x * x for x in values), 0.5, 0.6)
    assert fast == pytest.approx(slow)


def _run(chance: float, draws: float, source: random.Random, most: int = 5000) -> tuple[str | None, int]:
    total = squares = 0.0
    for pairs in range(1, most + 1):
        scores = [0.5 if source.random() < draws else float(source.random() < chance) for _ in range(2)]
        mean = sum(scores) / 2
        total, squares = total + mean, squares + mean * mean
        if pairs >= 10 and (found := verdict(pairs, total, squares, **RULE)):
            return found, pairs
    return None, most


@pytest.mark.parametrize(
    ("chance", "draws", "right", "error"),
    [
        (0.5, 0.0, "equal", 0.05),
        (0.6, 0.0, "better", 0.05),
        (0.4, 0.0, "worse", 0.05),
        (0.5, 0.5, "equal", 0.05),
        (0.7, 0.5, "better", 0.05),
    ],
)
def test_error_rates(chance: float, draws: float, right: str, error: float) -> None:
    source = random.Random(7)
    runs = [_run(chance, draws, source) for _ in range(600)]
    wrong = sum(found != right for found, _ in runs) / len(runs)
    # 600 runs of a true rate of 5 % stay below 7.5 % with probability > 0.99
    assert wrong < error + 0.025
    assert sum(pairs for _, pairs in runs) / len(runs) < 350


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_stop_does_not_depend_on_the_order_of_arrival(seed: int, order: random.Random) -> None:
    (cell,) = expand(Plan(games=["tic-tac-toe"], agents=["random"], opponents=[AgentEntry(id="random", name="b")]))
    source = random.Random(seed)
    results = [(pair, float(source.random() < 0.75)) for pair in range(100) for _ in range(2)]

    def finish(arrivals: list[tuple[int, float]]) -> tuple[int, str | None, int, float]:
        progress = CellProgress(cell, matches=200, stop=Stop(effect=0.1))
        for pair, points in arrivals:
            progress.note(pair, points)
        return progress.pairs, progress.verdict, progress.done, progress.points

    in_order = finish(results)
    shuffled = list(results)
    order.shuffle(shuffled)
    assert finish(shuffled) == in_order
