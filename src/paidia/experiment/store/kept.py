"""What a ledger keeps of a match, and its form: a word of some 20 characters.

    1/0:76:2.98:330144              goals of all roles, moves, seconds, simulations of the agent
    0:2000:11.4:91000s-3l52!tick-limit    a video game: score -3, 52 lost playouts, and how it ended if not by the rules

Words stand in the order of their places, all seats of pair 0, then of pair 1; `@7.1` says that the next one is pair 7, seat 1.
Seconds have three digits; all else is exact. Points follow from the goals and the seat. What is left out: other measures of the
agent, those of its opponent, what agents did with their search parameters, matches that failed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import cache
from typing import get_args

import msgspec

from paidia.experiment.cells import Cell, assignments
from paidia.experiment.metrics import Value, points
from paidia.experiment.row import Row
from paidia.match.laws import Ending

__all__ = ["ENDINGS", "Kept", "matches_of", "seats_of", "words_of"]

ENDINGS: tuple[str, ...] = get_args(Ending)
ORDINARY = "terminal"

#: As many roles as a cell of a store can have.
MOST_ROLES = 16

#: Nothing is counted so far.
LARGEST = 10**12

_NUMBER = r"-?[0-9]{1,20}(?:\.[0-9]{1,20})?(?:e[+-]?[0-9]{1,3})?"
_WORD = re.compile(
    rf"({_NUMBER}(?:/{_NUMBER})*):([0-9]{{1,12}}):({_NUMBER})(?::([0-9]{{1,12}}))?(?:s({_NUMBER}))?(?:l([0-9]{{1,12}}))?(?:!([a-z-]+))?"
)
_PLACE = re.compile(r"@([0-9]{1,12})\.([0-9]{1,5})")


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A match, as far as it is kept; simulations, score and lost playouts are those of the agent, None where there are none."""

    pair: int
    seat: int
    goals: tuple[float, ...]
    moves: int
    seconds: float
    ending: str = ORDINARY
    simulations: int | None = None
    score: float | None = None
    lost_playouts: int | None = None

    @property
    def place(self) -> tuple[int, int]:
        """Pair and seat."""
        return self.pair, self.seat

    @property
    def problem(self) -> str:
        """Why it cannot be a match; "" if it can."""
        if not all(0.0 <= goal <= 1.0 for goal in self.goals):
            return "goals outside of 0 to 1"
        if self.ending not in ENDINGS:
            return f"no known ending ({', '.join(ENDINGS)})"
        counts = (self.pair, self.seat, self.moves, self.simulations or 0, self.lost_playouts or 0)
        if not 0.0 <= self.seconds < 1e9 or not math.isfinite(self.score or 0.0) or not all(0 <= n < LARGEST for n in counts):
            return "an impossible number"
        return ""

    def points(self, *, alone: bool) -> float:
        """Points of the agent, who may play alone."""
        return points(self.goals, seats_of(len(self.goals), alone=alone)[self.seat])

    def row(self, cell: Cell) -> Row:
        """The match as a row of a store, without the measures that are not kept."""
        assignment = cell.seats[self.seat]
        sides: list[dict[str, Value]] = [
            {
                "points": points(self.goals, assignment, side),
                "goal": max(goal for goal, own in zip(self.goals, assignment, strict=True) if own == side),
            }
            for side in range(len(cell.contenders))
        ]
        sides[0] |= {"simulations": self.simulations, "score": self.score, "lost_playouts": self.lost_playouts}
        goals = msgspec.json.encode(self.goals).decode()
        match: dict[str, Value] = {"moves": self.moves, "goals": goals, "seconds": self.seconds, "ending": self.ending}
        return Row(seed=cell.match_seed(self.pair), match=match, sides=sides)


@cache
def seats_of(roles: int, *, alone: bool) -> list[tuple[int, ...]]:
    """For every seat of a cell, which side plays each role."""
    return [(0,) * roles] if alone else assignments(roles)


def words_of(matches: Iterable[Kept], seats: int) -> str:
    """Matches in order of their places, as one text."""
    words, expected = [], (0, 0)
    for each in matches:
        if each.place != expected:
            words.append(f"@{each.pair}.{each.seat}")
        words.append(_word(each))
        expected = _after(each.place, seats)
    return " ".join(words)


def _word(match: Kept) -> str:
    word = f"{'/'.join(map(_short, match.goals))}:{match.moves}:{_short(float(f'{match.seconds:.3g}'))}"
    word += f":{match.simulations}" if match.simulations is not None else ""
    word += f"s{_short(match.score)}" if match.score is not None else ""
    word += f"l{match.lost_playouts}" if match.lost_playouts is not None else ""
    return word + (f"!{match.ending.replace(' ', '-')}" if match.ending != ORDINARY else "")


def _short(value: float) -> str:
    """The shortest text from which the very number comes back."""
    return repr(float(value)).removesuffix(".0")


def _after(place: tuple[int, int], seats: int) -> tuple[int, int]:
    pair, seat = place
    return (pair, seat + 1) if seat + 1 < seats else (pair + 1, 0)


def matches_of(text: str, *, alone: bool) -> list[Kept]:
    """The matches of such a text, in order; `alone`: their agent has no opponent.

    Raises:
        ValueError: It is no such text; the message says why.
    """
    found: list[Kept] = []
    place, roles = (0, 0), 0
    for word in text.split(" "):
        if jump := _PLACE.fullmatch(word):
            place = int(jump[1]), int(jump[2])
            continue
        match = _match(word, place)
        if not found:
            roles = len(match.goals)
            if not (1 if alone else 2) <= roles <= MOST_ROLES:
                raise ValueError(f"{_shown(word)} has {roles} goals")
        if len(match.goals) != roles:
            raise ValueError(f"{_shown(word)} has {len(match.goals)} goals, others have {roles}")
        seats = 1 if alone else 2**roles - 2
        if match.seat >= seats:
            raise ValueError(f"there is no seat {match.seat}, only {seats} from 0")
        if found and match.place <= found[-1].place:
            raise ValueError(f"pair {match.pair}, seat {match.seat} is there twice, or not in order")
        found.append(match)
        place = _after(place, seats)
    if not found:
        raise ValueError("no match")
    return found


def _match(word: str, place: tuple[int, int]) -> Kept:
    parts = _WORD.fullmatch(word)
    if parts is None:
        raise ValueError(f"{_shown(word)} is not a match, like 1/0:76:2.98:330144")
    goals = tuple(float(goal) for goal in parts[1].split("/"))
    simulations, lost = (None if number is None else int(number) for number in (parts[4], parts[6]))
    match = Kept(
        pair=place[0], seat=place[1], goals=goals, moves=int(parts[2]), seconds=float(parts[3]),
        ending=(parts[7] or ORDINARY).replace("-", " "), simulations=simulations,
        score=None if parts[5] is None else float(parts[5]), lost_playouts=lost,
    )  # fmt: skip
    if match.problem:
        raise ValueError(f"{_shown(word)} has {match.problem}")
    return match


def _shown(word: str) -> str:
    return repr(word if len(word) <= 60 else f"{word[:60]}...")
