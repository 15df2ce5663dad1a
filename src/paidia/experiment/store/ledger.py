"""The matches of a store as a small text file, which goes where a repository goes: a run elsewhere goes on with it.

A line has up to 200 places of a cell, as far as one build of paidia played them: names and key of the cell, version and
signature, and the matches (`kept.py`). Lines are sorted, and one that is full stays as it is, so that a file differs from an
older one by what is new. Names are for readers: what a cell is follows from plans (`recall.py` enters lines into a store).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import groupby
from pathlib import Path

import msgspec

from paidia.core.csv_files import numbered_rows, write_rows
from paidia.core.errors import RuleError
from paidia.experiment.store.kept import Kept, matches_of, seats_of, words_of
from paidia.experiment.store.store import Store

__all__ = ["Line", "joined", "lines_of", "read_ledger", "without_older", "write_ledger"]

COLUMNS = ["game", "level", "agent", "opponent", "cell", "version", "signature", "matches"]

#: Places of a line.
PLACES = 200

#: The characters of a cell's key.
KEY = 32


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """What one build played of a cell.

    Attributes:
        cell: Key of the cell.
        game: Its name; as level, agent and opponent ("" where there is none) for readers.
        version: Version of paidia that played.
        signature: The behaviour that the cell depends on.
        matches: The matches, in order of their places.
        file: Where it was read.
        number: First line of it there.
    """

    game: str
    level: str
    agent: str
    opponent: str
    cell: str
    version: str
    signature: str
    matches: tuple[Kept, ...]
    file: str = ""
    number: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """All but matches and place: what lines are sorted by."""
        return self.game, self.level, self.agent, self.opponent, self.cell, self.version, self.signature

    @property
    def alone(self) -> bool:
        """Whether the agent has no opponent."""
        return not self.opponent

    @property
    def build(self) -> tuple[str, str, str]:
        """Cell and build: there is one line for each."""
        return self.cell, self.version, self.signature

    def error(self, message: str) -> RuleError:
        """An error that names its place."""
        return RuleError(message, file=self.file, line=self.number)


_QUERY = """
SELECT label, coalesce(level, ''), mine.name, coalesce(other.name, ''), key, version, signature,
    match.pair, match.seat, goals, moves, match.seconds, ending, side.simulations, score, lost_playouts, points, roles
FROM match JOIN side ON side.cell = match.cell AND side.pair = match.pair AND side.seat = match.seat AND side = 0
JOIN cell ON cell.id = match.cell JOIN build ON build.id = match.build
JOIN agent AS mine ON mine.id = cell.agent LEFT JOIN agent AS other ON other.id = cell.opponent
ORDER BY match.cell, match.build, match.pair, match.seat
"""


def lines_of(store: Store, *, keys: Collection[str] | None = None) -> list[Line]:
    """The matches of a store, or of its cells with the given keys.

    Matches that failed are left out, and what no run of today leaves: other endings, points that do not follow from goals.
    """
    found = []
    for names, rows in groupby(store.db.execute(_QUERY), key=lambda row: row[:7]):
        line = Line(**dict(zip(COLUMNS, names, strict=False)), matches=())
        if keys is None or line.cell in keys:
            matches = tuple(match for row in rows if (match := _kept(line, *row[7:])) is not None)
            if matches:
                found.append(msgspec.structs.replace(line, matches=matches))
    return found


def _kept(
    line: Line, pair: int, seat: int, goals: str, moves: int | None, seconds: float | None, ending: str | None,
    simulations: int | None, score: float | None, lost: int | None, points: float | None, roles: int,
) -> Kept | None:  # fmt: skip
    try:
        reached = tuple(msgspec.json.decode(goals, type=list[float]))
    except msgspec.DecodeError:
        return None
    match = Kept(
        pair=pair, seat=seat, goals=reached, moves=moves or 0, seconds=seconds or 0.0, ending=ending or "",
        simulations=simulations, score=score, lost_playouts=lost,
    )  # fmt: skip
    if points is None or len(reached) != roles or match.problem:
        return None
    return match if match.points(alone=line.alone) == points else None


def read_ledger(file: Path) -> list[Line]:
    """The lines of a ledger, a build of a cell in one; none if there is no such file."""
    found: dict[tuple[str, str, str], Line] = {}
    for number, row in numbered_rows(file, COLUMNS):
        try:
            matches = tuple(matches_of(row.pop("matches"), alone=not row["opponent"]))
        except ValueError as error:
            raise RuleError(f"not a ledger of matches: {error}", file=str(file), line=number) from None
        line = Line(**row, matches=matches, file=str(file), number=number)
        if len(line.cell) != KEY or set(line.cell) - set("0123456789abcdef"):
            raise line.error(f"not a ledger of matches: {line.cell[:KEY]!r} is not the key of a cell")
        before = found.get(line.build)
        if before is not None:
            if before.names != line.names or len(before.matches[0].goals) != len(line.matches[0].goals):
                raise line.error(f"not a ledger of matches: the cell has other names or roles in line {before.number}")
            line = msgspec.structs.replace(before, matches=before.matches + line.matches)
        found[line.build] = line
    _check_places(found.values())
    return list(found.values())


def _check_places(lines: Iterable[Line]) -> None:
    """The same behaviour plays a place once, in whichever version."""
    seen: dict[tuple[str, str], set[tuple[int, int]]] = {}
    for line in lines:
        there = seen.setdefault((line.cell, line.signature), set())
        for match in line.matches:
            if match.place in there:
                raise line.error(f"not a ledger of matches: the cell has pair {match.pair}, seat {match.seat} twice")
            there.add(match.place)


def joined(kept: Iterable[Line], more: Iterable[Line]) -> list[Line]:
    """Everything of both. A match that is kept stays as it is: of the others those are added whose place it lacks."""
    found = {line.build: line for line in kept}
    there: dict[tuple[str, str], set[tuple[int, int]]] = {}
    for line in found.values():
        there.setdefault((line.cell, line.signature), set()).update(match.place for match in line.matches)
    for line in more:
        places = there.setdefault((line.cell, line.signature), set())
        fresh = [match for match in line.matches if match.place not in places]
        places.update(match.place for match in fresh)
        if fresh:
            before = found.get(line.build, msgspec.structs.replace(line, matches=()))
            matches = tuple(sorted((*before.matches, *fresh), key=lambda match: match.place))
            found[line.build] = msgspec.structs.replace(before, matches=matches)
    return list(found.values())


def without_older(lines: Iterable[Line], behaviour: Callable[[str], str | None]) -> list[Line]:
    """Lines without those of other behaviour that are no longer needed: today's has played their cell at least as often.

    Args:
        lines: All lines.
        behaviour: Today's behaviour for the key of a cell, None if nobody knows the cell.
    """
    every = list(lines)
    today = {cell: behaviour(cell) for cell in dict.fromkeys(line.cell for line in every)}
    played: dict[str, int] = {}
    for line in every:
        if line.signature == today[line.cell]:
            played[line.cell] = played.get(line.cell, 0) + len(line.matches)
    return [line for line in every if line.signature == today[line.cell] or len(line.matches) > played.get(line.cell, 0)]


def write_ledger(file: Path, lines: Iterable[Line]) -> None:
    """Write a ledger; the same lines are the same bytes."""
    write_rows(file, COLUMNS, (row for line in sorted(lines, key=lambda line: line.names) for row in _rows(line)))


def _rows(line: Line) -> Iterator[dict[str, str]]:
    seats = len(seats_of(len(line.matches[0].goals), alone=line.alone))
    ordered = sorted(line.matches, key=lambda match: match.place)
    for _, part in groupby(ordered, key=lambda match: (match.pair * seats + match.seat) // PLACES):
        yield dict(zip(COLUMNS, (*line.names, words_of(part, seats)), strict=True))
