"""What a paper says of its tables, sentence by sentence, as tests on our numbers.

`claims.toml` beside a paper's plans has a `[[claim]]` for each:

    table = "s002-t1"                 # where the numbers are
    text = "PPAFM beats PPAF in 7 of 8 games"
    left = "PPAFM v PPAF"             # whose points: AGENT v OPPONENT, or an AGENT that plays alone
    is = ">"                          # more than; ">=": not less by more than the margin; "<"; "=": inside the margin
    right = 50.0                      # a number, or another column of the table
    game = "average"                  # or the name of one; "each": in every game for itself,
    least = 7                         # of which so many
    margin = 4.0                      # points that matter; 4 for an average, 10 in a game

A claim *holds* or *does not hold* where an interval of the difference says so; all claims of a paper together have a chance of
5 % of a false word (Holm 1979), and the games of one claim share its part (Bonferroni). ">" and "<" do not hold where ours is
the other way round, nor where the paper's difference is more than the margin and ours certainly less. Otherwise it is
*undecided*; *not run* where nothing was measured. The same test on the printed numbers says whether the paper's own table
supports the sentence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import NormalDist
from typing import Literal

import msgspec

from paidia.report.papers.beside import read_lists
from paidia.report.papers.compare import Comparison
from paidia.report.papers.printed import Printed
from paidia.report.papers.verdicts import AVERAGE_MARGIN, CELL_MARGIN, ERROR, FEWEST
from paidia.report.statistics import Interval, Z, difference, percent

__all__ = [
    "AVERAGE", "DECIDED", "EACH", "Claim", "Judged", "Told", "Values", "column_of", "decide", "errors", "games_of",
    "judge_claims", "load_claims", "own_values", "printed_gap", "printed_values", "seems",
]  # fmt: skip

AVERAGE, EACH = "average", "each"

#: Verdicts that say something.
DECIDED = ("holds", "does not hold")


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence; see the head of this file."""

    table: str
    text: str
    left: str
    right: float | str
    relation: Literal[">", ">=", "<", "="] = msgspec.field(name="is")
    game: str = AVERAGE
    least: int = 0
    margin: float | None = None

    @property
    def points(self) -> float:
        """The margin."""
        return self.margin if self.margin is not None else AVERAGE_MARGIN if self.game == AVERAGE else CELL_MARGIN


class Told(msgspec.Struct, frozen=True):
    """A number that a claim can be tested on: a share in percent.

    Attributes:
        mean: The share.
        n: Matches; 0 if not known.
        half: Half width of an interval at 95 % that is printed; None: Wilson's is taken.
        whole: Whether it is all that it should be: false for an average over some of its games, or with another budget.
        gain: What one of its matches is worth: more than one in an average over games.
    """

    mean: float
    n: int
    half: float | None = None
    whole: bool = True
    gain: float = 1.0

    def interval(self, z: float) -> Interval:
        """The interval of a level."""
        if self.half:
            half = self.half / Z * z
            return Interval(self.mean, self.mean - half, self.mean + half, self.n)
        return percent(self.mean, max(1, self.n), gain=self.gain, z=z)


#: (table, game, agent, opponent) -> the number
Values = dict[tuple[str, str, str, str], Told]


class Judged(msgspec.Struct, frozen=True):
    """A claim with its verdict: "holds", "does not hold", "undecided" or "not run", the numbers that it rests on, and why it is
    not decided.
    """

    claim: Claim
    verdict: str
    numbers: str
    reason: str = ""


def load_claims(folder: Path) -> list[Claim]:
    """The claims of a paper; none if its folder has no such file."""
    return read_lists(folder / "claims.toml", _File, "a file of claims").claim


class _File(msgspec.Struct, forbid_unknown_fields=True):
    claim: list[Claim] = []


def printed_values(rows: Sequence[Printed]) -> Values:
    """The paper's own numbers."""
    return {
        (row.table, row.game, row.agent, row.opponent): Told(row.value, row.runs or FEWEST, row.half)
        for row in rows
        if row.metric == "win_pct"
    }


def own_values(comparisons: Iterable[Comparison]) -> Values:
    """Our numbers, of one table or of several."""
    return {
        (each.printed.table, each.printed.game, each.printed.agent, each.printed.opponent): Told(
            each.ours.mean, each.ours.n, whole=each.verdict not in ("partial", "other budget"), gain=each.ours.gain
        )
        for each in comparisons
        if each.ours is not None and each.printed.metric == "win_pct"
    }


def judge_claims(claims: Sequence[Claim], values: Values, printed: Values | None = None) -> list[Judged]:
    """All claims of a paper on some numbers, with one chance of a false word for all of them.

    Args:
        claims: The claims.
        values: The numbers.
        printed: The paper's, which say what games there are besides those that have been played, and what the differences are.
    """
    games = [games_of(claim, {**(printed or {}), **values}) for claim in claims]
    theirs = printed or {}
    surest = [_surest(claim, values, own, theirs) for claim, own in zip(claims, games, strict=True)]
    found: dict[int, Judged] = {}
    left = len(claims)
    for i in sorted(range(len(claims)), key=lambda i: surest[i]):
        found[i] = _judge(claims[i], values, games[i], theirs, errors(left))
        if found[i].verdict in DECIDED:
            left -= 1
    return [found[i] for i in range(len(claims))]


def _surest(claim: Claim, values: Values, games: list[str], printed: Values) -> float:
    """The least chance of a false word with which there still is one; 1 if there is none to be had."""
    low, high = -30.0, math.log(ERROR)
    if _judge(claim, values, games, printed, ERROR).verdict not in DECIDED:
        return 1.0
    for _ in range(30):
        middle = (low + high) / 2.0
        decided = _judge(claim, values, games, printed, math.exp(middle)).verdict in DECIDED
        low, high = (low, middle) if decided else (middle, high)
    return math.exp(high)


def games_of(claim: Claim, values: Values) -> list[str]:
    """The games that a claim about each of them is about, as far as these numbers know."""
    return list(dict.fromkeys(game for table, game, *_ in values if table == claim.table and game != AVERAGE))


def errors(claims: int, games: int = 1) -> float:
    """The chance of a false word that is left to one of so many claims, or to one of its games."""
    return ERROR / (claims * max(1, games))


def _judge(claim: Claim, values: Values, games: list[str], printed: Values, error: float) -> Judged:
    """A claim on these numbers with a chance of a false word."""
    if claim.game != EACH:
        sides = _sides(claim, claim.game, values)
        if sides is None:
            return Judged(claim, "not run", "")
        word = decide(claim, *sides, error, printed_gap(claim, claim.game, printed))
        told = " / ".join(_words(side) for side in sides if side.n)
        reason = _reason(sides) if word == "undecided" else ""
        if word == "does not hold" and decide(claim, *sides, error) != word:
            reason = f"ours are less than {claim.points:g} points apart"
        return Judged(claim, word, told, reason)
    found = {game: sides for game in games if (sides := _sides(claim, game, values)) is not None}
    if not found:
        return Judged(claim, "not run", "")
    least = claim.least or len(games)
    words = [decide(claim, *sides, error / len(games), printed_gap(claim, game, printed)) for game, sides in found.items()]
    true, false = words.count("holds"), words.count("does not hold")
    seen = sum(seems(claim, *sides) for sides in found.values())
    whole = len(games) - false < least
    word = "holds" if true >= least else "does not hold" if whole else "undecided"
    reason = f"certain in {true} of the {least} games it needs" if word == "undecided" else ""
    return Judged(claim, word, f"{seen} of {len(found)} games, {true} of them certain, {false} certainly not", reason)


def _reason(sides: tuple[Told, Told]) -> str:
    """Why two numbers decide nothing."""
    if not all(side.whole for side in sides):
        return "not all games played, or with another budget"
    if any(0 < side.n < FEWEST for side in sides):
        return f"fewer than {FEWEST} matches"
    return "too few matches for so small a difference"


def _sides(claim: Claim, game: str, values: Values) -> tuple[Told, Told] | None:
    left = values.get((claim.table, game, *column_of(claim.left)))
    right = Told(claim.right, 0) if isinstance(claim.right, (int, float)) else None
    if isinstance(claim.right, str):
        right = values.get((claim.table, game, *column_of(claim.right)))
    return None if left is None or right is None else (left, right)


def printed_gap(claim: Claim, game: str, printed: Values) -> float:
    """The difference that the paper prints; 0 where it prints none."""
    sides = _sides(claim, game, printed)
    return 0.0 if sides is None else sides[0].mean - sides[1].mean


def column_of(name: str) -> tuple[str, str]:
    """ "AGENT v OPPONENT" in two."""
    agent, _, opponent = name.partition(" v ")
    return agent, opponent


def _gap(left: Told, right: Told, z: float) -> Interval:
    fixed = Interval(right.mean, right.mean, right.mean)
    return difference(left.interval(z), right.interval(z) if right.n else fixed)


def decide(claim: Claim, left: Told, right: Told, error: float, stated: float = 0.0) -> str:
    """A claim on one pair of numbers, with a chance of a false word; `right` without matches is a fixed number, and `stated` the
    difference that the paper prints.
    """
    if any(0 < side.n < FEWEST or not side.whole for side in (left, right)):
        return "undecided"
    gap, margin = _gap(left, right, NormalDist().inv_cdf(1.0 - error)), claim.points
    equal = -margin < gap.low and gap.high < margin
    lost = equal and abs(stated) > margin
    tests: dict[str, tuple[bool, bool]] = {
        ">": (gap.low > 0.0, gap.high < 0.0 or lost),
        "<": (gap.high < 0.0, gap.low > 0.0 or lost),
        ">=": (gap.low > -margin, gap.high < -margin),
        "=": (equal, gap.high < -margin or gap.low > margin),
    }
    true, false = tests[claim.relation]
    return "holds" if true else "does not hold" if false else "undecided"


def seems(claim: Claim, left: Told, right: Told) -> bool:
    """Whether the bare numbers say so."""
    gap = left.mean - right.mean
    seems: dict[str, Callable[[float], bool]] = {
        ">": lambda x: x > 0,
        "<": lambda x: x < 0,
        ">=": lambda x: x > -claim.points,
        "=": lambda x: abs(x) < claim.points,
    }
    return seems[claim.relation](gap)


def _words(told: Told) -> str:
    if told.half:
        return f"{told.mean:.1f} ± {told.half:.1f}"
    interval = told.interval(Z)
    few = told.n < FEWEST
    return f"{told.mean:.1f}" if few else f"{told.mean:.1f} ({interval.low:.1f} to {interval.high:.1f})"
