"""How many matches decide a claim.

What is played for it (cells of a store, or whole columns where no more is known) gets matches until each has the least number
with which the claim would be decided, if our means (or, below the matches that get a verdict, the paper's) stay as they are. A
claim about each of several games asks for those games that are nearest to a verdict, as many as it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Generic, TypeVar

import msgspec

from paidia.report.papers.claims import EACH, Claim, Told, Values, column_of, decide, errors, games_of, printed_gap
from paidia.report.papers.verdicts import FEWEST

__all__ = ["MOST", "Known", "matches_lacking"]

#: Matches of a cell beyond which nobody waits for a claim.
MOST = 100_000

K = TypeVar("K", bound=Hashable)


class Known(msgspec.Struct, Generic[K], frozen=True):
    """What there is to go by.

    Attributes:
        own: Our numbers.
        paper: The paper's.
        played: Matches of whatever is played.
        behind: What is played for a number of some game (or the average), agent and opponent, and of how many columns that is the
            best.
    """

    own: Values
    paper: Values
    played: Mapping[K, int]
    behind: Callable[[str, str, str], tuple[list[K], int]]


class _Part(msgspec.Struct, Generic[K], frozen=True):
    """A claim in one game, or on average: how many matches are lacking, and whether it will hold then."""

    lacking: dict[K, int]
    holds: bool

    @property
    def matches(self) -> int:
        return sum(self.lacking.values())


def matches_lacking(claim: Claim, known: Known[K], claims: int) -> dict[K, int] | None:
    """What has to be played how often to decide one of so many claims; None if no number of matches does."""
    if claim.game != EACH:
        part = _part(claim, claim.game, known, errors(claims))
        chosen = None if part is None else [part]
    else:
        chosen = _nearest_games(claim, known, claims)
    if chosen is None:
        return None
    lacking: dict[K, int] = {}
    for part in chosen:
        for key, number in part.lacking.items():
            lacking[key] = max(number, lacking.get(key, 0))
    return lacking


def _part(claim: Claim, game: str, known: Known[K], error: float) -> _Part[K] | None:
    """What a claim needs there; None if no number of matches decides it, or something cannot be played. Nothing is lacking where
    it is decided.
    """
    played = known.played
    sides: list[tuple[Told, list[K], int]] = []
    for name in (claim.left, claim.right):
        if isinstance(name, (int, float)):
            continue
        column = column_of(name)
        key = (claim.table, game, *column)
        told, theirs = known.own.get(key), known.paper.get(key)
        if told is None or (told.n < FEWEST and theirs is not None):  # what a few matches say, the next may turn around
            told = theirs
        behind, columns = known.behind(game, *column)
        if told is None or not behind:
            return None
        sides.append((told, behind, columns))
    fixed = Told(float(claim.right), 0) if isinstance(claim.right, (int, float)) else None
    difference = printed_gap(claim, game, known.paper)

    def word(each: int) -> str:
        """The verdict when everything has so many matches, or as many as it has."""
        grown = [
            Told(told.mean, sum(max(each, played.get(key, 0)) for key in behind) // columns, gain=told.gain)
            for told, behind, columns in sides
        ]
        return decide(claim, grown[0], fixed or grown[1], error, difference)

    low, high = 0, MOST
    if word(high) == "undecided":
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if word(middle) != "undecided" else (middle, high)
    keys = dict.fromkeys(key for _, behind, _ in sides for key in behind)
    if all(key in played for key in keys) and word(0) != "undecided":
        high = 0
    lacking = {key: high - played.get(key, 0) for key in keys if played.get(key, 0) < high}
    return _Part(lacking, word(high) == "holds")


def _nearest_games(claim: Claim, known: Known[K], claims: int) -> list[_Part[K]] | None:
    """The games that decide a claim about each of them with the fewest matches: enough that it holds in, or in which it fails."""
    games = games_of(claim, known.paper)
    parts = [part for game in games if (part := _part(claim, game, known, errors(claims, len(games)))) is not None]
    least = claim.least or len(games)
    ways = []
    for holds, enough in ((True, least), (False, len(games) - least + 1)):
        own = sorted((part for part in parts if part.holds is holds), key=lambda part: part.matches)
        if len(own) >= enough:
            ways.append(own[:enough])
    return min(ways, key=lambda way: sum(part.matches for part in way), default=None)
