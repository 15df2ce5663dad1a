"""The match of a table as a record: with its comments, and with all that plays it once more."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

import paidia
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.files import replacing
from paidia.core.model import Rules
from paidia.experiment.signature.behaviour import parts_of
from paidia.experiment.signature.known import known_parts
from paidia.games import world_of
from paidia.match.record import Details, MatchRecord, RootMove
from paidia.web.desk.seats import HUMAN, Seat

if TYPE_CHECKING:
    from paidia.web.desk.table import TableDesk

__all__ = ["details_of", "match_record", "read_comments", "write_over"]

MOST_COMMENTS = 2000
LONGEST_COMMENT = 10_000
MOST_ROOTS = 200_000  # moves at roots of a whole match; beyond that none are kept


def read_comments(plain: Any, steps: int) -> dict[str, str]:
    """What the page says of steps of the time line; comments that were emptied are gone."""
    try:
        found = msgspec.convert(plain or {}, dict[str, str])
    except msgspec.ValidationError as error:
        raise BadInput(f"comments are texts by step: {error}") from None
    if len(found) > MOST_COMMENTS or any(len(text) > LONGEST_COMMENT for text in found.values()):
        raise BadInput(f"a record holds {MOST_COMMENTS:,} comments of {LONGEST_COMMENT:,} characters at most")
    if any(not (step.isdecimal() and int(step) <= steps) for step in found):
        raise BadInput(f"the time line has steps 0 to {steps}")
    return {step: found[step] for step in sorted(found, key=int) if found[step].strip()}


def match_record(table: TableDesk, comments: dict[str, str], *, plain: bool) -> MatchRecord:
    """A record as `paidia play --record` writes it; `plain`: without what repeats the match."""
    game, laws, seats, state = table.game, table.laws, table.seats, table.state
    plain = plain or not seats
    return MatchRecord(
        game=game.id, level=laws.level, roles=list(game.roles), agents=[seat.name for seat in seats] or [HUMAN] * game.n_roles,
        seed=table.seed, budget=" and ".join(dict.fromkeys(str(seat.budget or "no search") for seat in seats)) or "no search",
        moves=table.names(), simulations=table.simulations, score=laws.score(state), version=paidia.__version__,
        goals=(table.result or {}).get("goals") or laws.goals(state, "terminal", None), comments=comments,
        ending="terminal" if state.terminal else laws.limit,
        details=None if plain else details_of(game, seats, table.roots, straight=table.straight),
    )  # fmt: skip


def details_of(game: Rules, seats: Sequence[Seat], roots: list[dict[int, list[RootMove] | None]], *, straight: bool) -> Details:
    """Who played and what they thought; where moves were taken back, only that: their searches cannot be had again."""
    kept = [rows for step in roots for rows in step.values() if rows]
    known = 0 < sum(map(len, kept)) <= MOST_ROOTS
    thoughts = [[step.get(role) for role in range(game.n_roles)] for step in roots] if known else []
    if not straight or not all(seat.definition is not None for seat in seats):
        return Details(roots=thoughts)
    definitions = [seat.definition for seat in seats if seat.definition is not None]
    parts = parts_of(world_of(game.id), controlled=any(definition.control for definition in definitions))
    return Details(
        definitions=[msgspec.to_builtins(definition) for definition in definitions],
        moves=[_limits(seat.budget) for seat in seats],
        starts=[seat.clocks.starts[0] for seat in seats],
        signature=known_parts(name for name in parts if name != "experiment"),
        roots=thoughts,
    )


def _limits(budget: Budget | None) -> dict[str, float] | None:
    return None if budget is None else {"simulations": budget.simulations, "seconds": budget.seconds}


def write_over(path: Path, record: MatchRecord) -> None:
    """Put a record in the place of the one that was there, or leave that as it is."""
    try:
        with replacing(path) as fresh:
            fresh.write_bytes(record.to_json())
    except OSError as error:
        raise BadInput(f"{path.name} cannot be written: {error.strerror}") from None
