"""What it would take to decide the claims that are undecided, in words, from what is kept beside a paper's plans.

Matches are counted as in `needs.py`, for whole columns of a table. Each takes as long as those of its column that are kept
(`ledgers.py`) took on average, or those of the paper; where none are kept nothing is said about time. Where our numbers are so
close that it would take too long, that is said, and what a difference as large as the paper's would take.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean

import msgspec

from paidia.experiment.store.ledger import Line, read_ledger
from paidia.report.papers.claims import DECIDED, EACH, Claim, Judged, Values, column_of, own_values, printed_values
from paidia.report.papers.compare import Comparison, side_of
from paidia.report.papers.ledgers import LEDGER
from paidia.report.papers.needs import MOST, Known, matches_lacking
from paidia.report.papers.printed import Printed, Table

__all__ = ["outlooks"]

#: Hours of one core beyond which nobody waits for a claim.
LONGEST = 100.0

#: Game, agent and opponent of a number.
Column = tuple[str, str, str]


def outlooks(tables: Sequence[Table], numbers: Mapping[str, Sequence[Comparison]], claims: Sequence[Judged]) -> list[str]:
    """For each claim of a paper what would decide it; "" where it is decided, or not all of its games have been played.

    Args:
        tables: The tables of the paper.
        numbers: By table, all printed numbers with ours.
        claims: The claims on our numbers.
    """
    left = sum(judged.verdict not in DECIDED for judged in claims)
    own = own_values(each for table in numbers.values() for each in table)
    paper = printed_values([row for table in tables for row in table.printed()])
    pace = _Pace(tables[0].file.parent)
    known = {table.id: table for table in tables}
    return [
        _outlook(judged.claim, known[judged.claim.table], own, paper, pace, left)
        if judged.verdict == "undecided" and _whole(judged.claim, own)
        else ""
        for judged in claims
    ]


def _whole(claim: Claim, own: Values) -> bool:
    """Whether what a claim is about has been played as a whole; one about each game can be decided without some."""
    columns = [column_of(side) for side in (claim.left, claim.right) if isinstance(side, str)]
    return claim.game == EACH or all(own[claim.table, claim.game, *column].whole for column in columns)


class _Pace:
    """Seconds of a match, from those that are kept."""

    def __init__(self, folder: Path) -> None:
        file = folder / LEDGER
        self._lines = [line for line in read_ledger(file) if line.matches] if file.exists() else []

    def of(self, column: Column) -> float | None:
        """Seconds of a match of a column, the mean over its games; of all matches if none of it is kept."""
        row = Printed("", "", *column, 0.0, None, 0)
        own = [line for line in self._lines if side_of(row, line.game, line.agent, line.opponent or None) is not None]
        games: dict[str, list[float]] = {}
        for line in own or self._lines:
            games.setdefault(line.game, []).append(_seconds(line))
        return mean(map(mean, games.values())) if games else None


def _seconds(line: Line) -> float:
    return mean(match.seconds for match in line.matches)


def _outlook(claim: Claim, table: Table, own: Values, paper: Values, pace: _Pace, claims: int) -> str:
    needs = _words(_lacking(claim, table, own, paper, claims), pace)
    if needs:
        return f"it takes {needs}"
    said = {key: msgspec.structs.replace(told, mean=paper[key].mean) for key, told in own.items() if key in paper}
    lacking = _lacking(claim, table, said, paper, claims)
    too_long = f"more than {MOST:,} matches of a side or {LONGEST:g} hours of one core"
    if claim.game == EACH or lacking is None:
        return f"it takes {too_long}"
    needs = f"would take {_words(lacking, pace, limit=False)}" if lacking else "would show by now"
    return (
        f"ours are {_apart(claim, own):.1f} points apart, which takes {too_long}; the paper's {_apart(claim, paper):.1f} {needs}"
    )


def _apart(claim: Claim, values: Values) -> float:
    """How far the two sides of a claim are from each other."""
    left, right = (
        side if isinstance(side, (int, float)) else values[claim.table, claim.game, *column_of(side)].mean
        for side in (claim.left, claim.right)
    )
    return abs(left - right)


def _lacking(claim: Claim, table: Table, own: Values, paper: Values, claims: int) -> dict[Column, int] | None:
    """Matches that each column lacks."""

    def behind(game: str, agent: str, opponent: str) -> tuple[list[Column], int]:
        agents = table.paper.best.get(agent, [agent])
        return [(game, name, opponent) for name in agents], len(agents)

    played = {}
    for (id, *names), told in own.items():
        if id == table.id:
            played.update(dict.fromkeys(behind(*names)[0], told.n))
    return matches_lacking(claim, Known(own, paper, played, behind), claims)


def _words(lacking: Mapping[Column, int] | None, pace: _Pace, *, limit: bool = True) -> str:
    """ "about 1,900 more matches, 4.6 hours of one core"; "" if there is no such number, or it is beyond the limit."""
    if not lacking:
        return ""
    costs = [pace.of(column) for column in lacking]
    known = [cost for cost in costs if cost is not None]
    matches = f"about {_rounded(sum(lacking.values())):,} more matches"
    if len(known) < len(costs):
        return matches
    hours = sum(number * cost for number, cost in zip(lacking.values(), known, strict=True)) / 3600.0
    if limit and hours > LONGEST:
        return ""
    time = f"{hours:,.0f} hours" if hours >= 10.0 else f"{hours:.1f} hours" if hours >= 1.0 else f"{60 * hours:.0f} minutes"
    return f"{matches}, {time} of one core"


def _rounded(number: int) -> int:
    """Two digits: more would pretend to be certain."""
    return round(number, min(0, 2 - len(str(number))))
