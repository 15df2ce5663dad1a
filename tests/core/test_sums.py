"""A sample as its sums, against the sample."""

from __future__ import annotations

from statistics import fmean, pvariance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paidia.core.machine.sums import Sums


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=30))
def test_sums_are_those_of_the_sample(values: list[int]) -> None:
    sums = Sums()
    for value in values:
        sums.add(value)
    assert sums.n == len(values)
    assert sums.mean == pytest.approx(fmean(values))
    assert sums.variance == pytest.approx(pvariance(values), abs=1e-6)
