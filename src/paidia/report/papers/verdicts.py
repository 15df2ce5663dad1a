"""What may be said about the numbers of a table, all of them together.

    agree        the 90 % interval of the difference lies inside the margin: two one-sided tests of 5 % each
    disagree     there is a difference, by a test whose chance of a single false alarm in the whole table is 5 % (Holm 1979)
    undecided    neither; `more` matches would probably tell, as long as the paper's own interval allows it

A difference that is certain and yet inside the margin is "agree": the margin says what matters. Nothing is said about fewer
than `FEWEST` matches. The margin is 10 points for a game, 4 for an average over games, and for mean scores a fifth of the
paper's value, or the half width of its interval where that is more.

An interval of any level is needed: ours is Wilson's (of scores Student's; an average over games has the spread inside them), the
paper's is the one it prints, widened or narrowed as for a normal distribution, or Wilson's of its number of runs. The interval of
the difference follows from the two by the rule of Zou and Donner (2008), a test from where that interval begins to include 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import msgspec

from paidia.report.statistics import Interval, Z, difference, percent, student

__all__ = ["AVERAGE_MARGIN", "CELL_MARGIN", "FEWEST", "Case", "Verdict", "judge", "matches_missing", "p_value"]

#: No verdict below so many matches.
FEWEST = 20

#: Points that matter: in one game, and on average over games.
CELL_MARGIN, AVERAGE_MARGIN = 10.0, 4.0

#: Share of the paper's value that matters in a mean score.
SCORE_MARGIN = 0.2

#: Chance of a false alarm in a whole table, and of each of the two one-sided tests.
ERROR = 0.05

_NORMAL = NormalDist()
_Z_INSIDE = _NORMAL.inv_cdf(1.0 - ERROR)


class Case(msgspec.Struct, frozen=True):
    """One number of a table and ours.

    Attributes:
        ours: Our mean with the interval of the paper's form (of scores, it tells the spread), in the paper's unit.
        value: The paper's number.
        half: Half width of its interval at 95 %; None where it prints none, or one of no width.
        runs: Its runs.
        margin: The difference that matters.
        share: A share of points in percent; otherwise a mean without bounds.
    """

    ours: Interval
    value: float
    half: float | None
    runs: int
    margin: float
    share: bool = True


class Verdict(msgspec.Struct, frozen=True):
    """What may be said.

    Attributes:
        word: "agree", "disagree" or "undecided".
        gap: Ours minus the paper's, with its 95 % interval.
        p: Chance of such a difference where there is none; not yet corrected for the number of cells.
        more: Matches that would probably decide; 0 if it is decided, or if no number of them can.
        reason: Why it is undecided.
    """

    word: str
    gap: Interval
    p: float
    more: int = 0
    reason: str = ""


def judge(cases: Sequence[Case]) -> list[Verdict]:
    """The verdicts of all cases of a table, which share one chance of a false alarm."""
    tested = [i for i, case in enumerate(cases) if case.ours.n >= FEWEST]
    values = {i: p_value(cases[i]) for i in tested}
    different = _holm(values)
    found = []
    for i, case in enumerate(cases):
        gap = _gap(case, Z)
        if i not in values:
            found.append(Verdict("undecided", gap, math.nan, FEWEST - case.ours.n, f"fewer than {FEWEST} matches"))
            continue
        inside = _gap(case, _Z_INSIDE)
        if -case.margin <= inside.low and inside.high <= case.margin:
            found.append(Verdict("agree", gap, values[i]))
        elif i in different:
            found.append(Verdict("disagree", gap, values[i]))
        else:
            more = matches_missing(case)
            reason = "too few matches" if more else "the paper's own interval is too wide"
            found.append(Verdict("undecided", gap, values[i], more, reason))
    return found


def p_value(case: Case) -> float:
    """Two-sided: from the widest interval of the difference that does not include 0."""
    low, high = 0.0, 9.0
    if _includes_zero(_gap(case, low)):
        return 1.0
    if not _includes_zero(_gap(case, high)):
        return 2.0 * _NORMAL.cdf(-high)
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (low, middle) if _includes_zero(_gap(case, middle)) else (middle, high)
    return 2.0 * _NORMAL.cdf(-low)


def _includes_zero(gap: Interval) -> bool:
    return gap.low <= 0.0 <= gap.high


def _holm(values: dict[int, float]) -> set[int]:
    """Those that stay significant when all are tested at once."""
    found = set()
    for place, i in enumerate(sorted(values, key=lambda i: values[i])):
        if values[i] > ERROR / (len(values) - place):
            break
        found.add(i)
    return found


def _gap(case: Case, z: float) -> Interval:
    """Ours minus the paper's with the interval of a level; of shares inside -100 to 100."""
    gap = difference(_ours(case, z, case.ours.n), _paper(case, z))
    if not case.share:
        return gap
    return Interval(gap.mean, max(-100.0, gap.low), min(100.0, gap.high), gap.n)


def _ours(case: Case, z: float, n: int) -> Interval:
    mean = case.ours.mean
    if case.share:
        return percent(mean, n, gain=case.ours.gain, z=z)
    if case.ours.n < 2 or not case.ours.half > 0:
        half = 0.0 if case.ours.n >= FEWEST else math.inf  # so many that are all alike are certain enough
    else:
        half = case.ours.half / Z * z * student(n) / Z * math.sqrt(case.ours.n / n)
    return Interval(mean, mean - half, mean + half, n)


def _paper(case: Case, z: float) -> Interval:
    if case.half:
        half = case.half / Z * z
        return Interval(case.value, case.value - half, case.value + half, case.runs)
    if case.share and case.runs:
        return percent(case.value, case.runs, z=z)
    return Interval(case.value, case.value, case.value, case.runs)


def matches_missing(case: Case) -> int:
    """Matches after which the interval would be inside the margin, or exclude 0, if the means stayed as they are; 0: never."""

    def decided(n: int) -> bool:
        inside = difference(_ours(case, _Z_INSIDE, n), _paper(case, _Z_INSIDE))
        if -case.margin <= inside.low and inside.high <= case.margin:
            return True
        return not _includes_zero(difference(_ours(case, 3.0, n), _paper(case, 3.0)))  # about what a whole table asks for

    most = 1_000_000
    if not decided(most):
        return 0
    low, high = case.ours.n, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decided(middle) else (middle, high)
    return high - case.ours.n
