"""What a record needs so that its match can be played once more: who the players were, their clocks, and what they thought.

A `Notebook` listens to a match (`play_match(..., thoughts=notebook.think)`) and completes its record afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from paidia.core.budget import Budget
from paidia.core.player import Decision, Player
from paidia.match.clocks import Clocks
from paidia.match.record import Details, MatchRecord, Proven, RootMove
from paidia.match.result import MatchResult

__all__ = ["Notebook", "clocks_of", "first_difference", "proven_of", "roots_of"]

#: Root moves of a whole match; beyond that none are kept.
MOST_ROOTS = 200_000

Settings = Mapping[str, bool | int | float | str]


class Notebook:
    """Takes down what players think, and puts it into the record with all that describes the match."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._thoughts: list[dict[int, list[RootMove] | None]] = []
        self._count = 0
        self.proven: list[Proven | None] = [None] * seats

    def think(self, role: int, decision: Decision) -> None:
        """What a player answered; the roles of a step come in their order."""
        if not self._thoughts or role in self._thoughts[-1] or role < max(self._thoughts[-1], default=-1):
            self._thoughts.append({})
        found = roots_of(decision) if self._count <= MOST_ROOTS else None
        self._count += len(found or ())
        self._thoughts[-1][role] = found
        value = proven_of(decision)
        if value is not None and self.proven[role] is None:
            self.proven[role] = Proven(len(self._thoughts) - 1, value)

    def complete(
        self,
        result: MatchResult,
        players: Sequence[Player],
        clocks: Clocks,
        *,
        settings: Sequence[Settings] = (),
        signature: Mapping[str, int] | None = None,
        max_steps: int = 100_000,
    ) -> MatchResult:
        """The result with a record that has its details."""
        roots = [[step.get(role) for role in range(self._seats)] for step in self._thoughts]
        details = Details(
            definitions=[_definition(player) for player in players],
            settings=[dict(own) for own in settings] if any(settings) else [],
            moves=[_limits(budget) for budget in clocks.moves],
            starts=list(clocks.starts),
            disqualify=clocks.disqualify,
            max_steps=max_steps,
            signature=dict(signature or {}),
            roots=roots if self._count <= MOST_ROOTS and any(any(step) for step in roots) else [],
            proven=self.proven if any(self.proven) else [],
        )
        return msgspec.structs.replace(result, record=msgspec.structs.replace(result.record, details=details))


def roots_of(decision: Decision) -> list[RootMove] | None:
    """The root moves in the notes of a decision; an agent of somebody else may put anything there."""
    notes = decision.notes if isinstance(decision.notes, dict) else {}
    try:
        found = msgspec.convert(notes.get("moves"), list[RootMove])
    except msgspec.ValidationError:
        return None
    return [_finite(row) for row in found]


def proven_of(decision: Decision) -> float | None:
    """The goal that a player says to be proven for its role, in the notes of a decision; None if it does not say any."""
    value = decision.notes.get("proven") if isinstance(decision.notes, dict) else None
    usable = isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= 1.0
    return float(value) if usable else None  # type: ignore[arg-type]


def _finite(row: RootMove) -> RootMove:
    """JSON has no infinite numbers."""
    mean = row.mean if row.mean is not None and math.isfinite(row.mean) else None
    visits = row.visits if math.isfinite(row.visits) else 0.0
    return RootMove(row.move, visits, mean, row.pruned)


def _definition(player: Player) -> dict[str, Any] | None:
    definition = getattr(player, "definition", None)
    if not isinstance(definition, msgspec.Struct):
        return None
    plain: dict[str, Any] = msgspec.to_builtins(definition)
    return plain


def _limits(budget: Budget | None) -> dict[str, float] | None:
    return None if budget is None else {"simulations": budget.simulations, "seconds": budget.seconds}


def clocks_of(details: Details, usual: Clocks) -> Clocks:
    """The clocks of a recorded match; `usual` are those of its kind of game."""
    moves = tuple(
        None if limits is None else Budget(simulations=int(limits.get("simulations", 0)), seconds=limits.get("seconds", 0.0))
        for limits in details.moves
    )
    starts = tuple(details.starts) or usual.starts
    return msgspec.structs.replace(usual, moves=moves or (None,), starts=starts, disqualify=details.disqualify)


def first_difference(a: MatchRecord, b: MatchRecord) -> str:
    """Where two records of the same match part, in words; "" if they are equal in all that does not depend on speed."""
    for step, (mine, other) in enumerate(zip(a.moves, b.moves, strict=False)):
        for role, name in enumerate(a.roles):
            if mine[role] != other[role]:
                return f"step {step}: {name} played {mine[role]} then, and {other[role]} now"
            if a.simulations[step][role] != b.simulations[step][role]:
                return (
                    f"step {step}: {name} made {a.simulations[step][role]} simulations then, and {b.simulations[step][role]} now"
                )
    if len(a.moves) != len(b.moves):
        return f"it had {len(a.moves)} steps then, and {len(b.moves)} now"
    for what in ("goals", "score", "ending"):
        if getattr(a, what) != getattr(b, what):
            return f"it ended with {what} {getattr(a, what)} then, and {getattr(b, what)} now"
    if a.details and b.details and a.details.roots and a.details.roots != b.details.roots:
        step = next((i for i, (x, y) in enumerate(zip(a.details.roots, b.details.roots, strict=False)) if x != y), 0)
        return f"step {step}: the moves are the same, but a search found other visits or means"
    return ""
