"""Budgets: what is a limit, what is not, and how they read."""

from __future__ import annotations

import math

import msgspec
import pytest

from paidia.core.budget import Budget
from paidia.core.errors import BadInput


def test_a_budget_reads_well() -> None:
    assert str(Budget(simulations=20_000)) == "20,000 simulations"
    assert str(Budget(seconds=0.25)) == "0.25 s"
    assert str(Budget(simulations=5, seconds=1)) == "5 simulations or 1 s"
    assert str(Budget(calls=3000)) == "3,000 forward-model calls"


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"simulations": 0},
        {"simulations": -1},
        {"simulations": 2**63},
        {"seconds": -0.1},
        {"seconds": math.inf},
        {"seconds": math.nan},
        {"simulations": 10, "seconds": -1.0},
        {"calls": -1},
        {"calls": 2**63},
    ],
    ids=str,
)
def test_what_is_no_limit_is_refused(limits: dict[str, float]) -> None:
    with pytest.raises(BadInput, match="budget"):
        Budget(**limits)  # type: ignore[arg-type]


def test_the_largest_number_of_simulations_is_accepted() -> None:
    assert Budget(simulations=2**63 - 1).simulations == 2**63 - 1


def test_a_budget_cannot_be_changed_and_has_no_other_fields() -> None:
    with pytest.raises(AttributeError):
        Budget(simulations=1).simulations = 2  # type: ignore[misc]
    with pytest.raises(msgspec.ValidationError, match="sims"):
        msgspec.convert({"sims": 3}, Budget)
