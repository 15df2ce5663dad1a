"""exp and log that are equal on every machine: within two units of the last place of the C library's."""

from __future__ import annotations

import math
import sys

from hypothesis import example, given
from hypothesis import strategies as st

from paidia.core.machine.maths import portable_exp, portable_log


def units_apart(ours: float, theirs: float) -> float:
    return abs(ours - theirs) / math.ulp(theirs)


@given(st.floats(-700, 700))
@example(0.0)
@example(-0.0)
@example(math.log(2) / 2)
@example(700.0)
@example(-700.0)
def test_exp(x: float) -> None:
    assert units_apart(portable_exp(x), math.exp(x)) <= 2


@given(st.floats(700, math.inf))
def test_exp_of_large_numbers_is_cut_off_and_stays_finite(x: float) -> None:
    assert portable_exp(x) == portable_exp(700.0) < math.inf
    assert portable_exp(-x) == portable_exp(-700.0) > 0


@given(st.floats(sys.float_info.min, sys.float_info.max))
@example(1.0)
@example(math.nextafter(1.0, 0.0))
@example(math.nextafter(1.0, 2.0))
@example(math.sqrt(2))
@example(math.sqrt(0.5))
@example(sys.float_info.min)
@example(sys.float_info.max)
def test_log(x: float) -> None:
    assert units_apart(portable_log(x), math.log(x)) <= 2


@given(st.integers(1, 2**31 - 1))
def test_log_of_counts(n: int) -> None:
    assert units_apart(portable_log(n), math.log(n)) <= 2


def test_exact_values_are_exact() -> None:
    assert portable_exp(0.0) == 1.0
    assert portable_log(1.0) == 0.0


def test_the_last_bits_are_the_same_on_every_machine() -> None:
    """Values as computed once; a compiler that contracts or reorders would change them."""
    assert [portable_exp(x).hex() for x in (1.0, -0.3, 33.3)] == EXPS
    assert [portable_log(x).hex() for x in (2.0, 10.0, 0.3, 12345.0)] == LOGS


EXPS = ["0x1.5bf0a8b14576ap+1", "0x1.7b4c869c37c05p-1", "0x1.078401f5a3ec8p+48"]
LOGS = ["0x1.62e42fefa39efp-1", "0x1.26bb1bbb55516p+1", "-0x1.34378fcbda721p+0", "0x1.2d78e26ae18e8p+3"]
