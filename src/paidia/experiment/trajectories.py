"""What is kept of an agent that changes its search parameters: how often it used which values, and which combinations.

A player tells it as plain data (`trajectory()`, see control/trajectory.py), turn by turn; a video game has 2,000 turns. Turns are
taken together so that at most `MOST_PARTS` parts remain, each of a power of two turns: so two matches of different length
can be added up. A player is asked for all its combinations: the most used of many matches need not be among the first of each.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from paidia.core.player import Player
from paidia.core.text import interrupted

__all__ = ["Combination", "Condensed", "add_up", "condense"]

MOST_PARTS = 64

#: A controller over more combinations than this keeps those that it used most.
MOST_COMBINATIONS = 1_000

#: Values of a combination, and the simulations that used it.
Combination = tuple[list[str], int]


class Condensed(msgspec.Struct, frozen=True, array_like=True):
    """One agent in one match, or in many.

    Attributes:
        controller: Who chose.
        parameters: Names of the parameters.
        values: For each parameter the values that it can take.
        width: Turns of a part, a power of two; part i begins with turn i * width.
        parts: For each part and parameter how often each value was used.
        combinations: The combinations in use, most used first.
    """

    controller: str
    parameters: list[str]
    values: list[list[str]]
    width: int
    parts: list[list[list[int]]]
    combinations: list[Combination]

    @property
    def space(self) -> tuple[object, ...]:
        """What two of them must have in common to be added up."""
        return self.controller, tuple(self.parameters), tuple(map(tuple, self.values))

    @property
    def simulations(self) -> int:
        """Draws of the first parameter, one for each simulation."""
        return sum(sum(part[0]) for part in self.parts) if self.parameters else 0

    def plain(self) -> dict[str, Any]:
        """As a trajectory again, with a turn for each part."""
        turns = [
            {"turn": i * self.width, "simulations": sum(part[0]), "samples": part, "best": []}
            for i, part in enumerate(self.parts)
        ]
        return {
            "controller": self.controller,
            "parameters": [{"name": n, "values": v} for n, v in zip(self.parameters, self.values, strict=True)],
            "roles": [{"role": 0, "turns": turns, "most_used": [{"values": v, "samples": n} for v, n in self.combinations]}],
        }


class _Turn(msgspec.Struct):
    turn: int
    samples: list[list[int]]


class _Used(msgspec.Struct):
    values: list[str]
    samples: int


class _Role(msgspec.Struct):
    turns: list[_Turn]
    most_used: list[_Used] = []


class _Parameter(msgspec.Struct):
    name: str
    values: list[str]


class _Told(msgspec.Struct):
    controller: str
    parameters: list[_Parameter]
    roles: list[_Role]


def condense(player: Player, role: int = 0) -> Condensed | None:
    """What a player did with its parameters in the match it has just played, in one role; None if it does not tell."""
    try:  # a player's account of itself must not cost the match
        plain = player.trajectory(most_used=MOST_COMBINATIONS)
        if plain is None:
            return None
        # By way of text, so that nothing of the player's own (a number with methods) gets into a store or another process.
        return _condensed(msgspec.json.decode(msgspec.json.encode(plain), type=_Told), role)
    except BaseException as error:
        if interrupted(error):
            raise
        return None


def _condensed(told: _Told, role: int) -> Condensed | None:
    own = told.roles[role if len(told.roles) > 1 else 0]
    turns = [turn for turn in own.turns if 0 <= turn.turn < 10**6]
    if not turns:
        return None
    width = 1
    while max(turn.turn for turn in turns) >= width * MOST_PARTS:
        width *= 2
    sizes = [len(parameter.values) for parameter in told.parameters]
    parts = _empty(1 + max(turn.turn for turn in turns) // width, sizes)
    for turn in turns:
        _count(parts[turn.turn // width], turn.samples)
    used = sorted(((u.values, u.samples) for u in own.most_used), key=lambda u: -u[1])
    return Condensed(
        controller=told.controller,
        parameters=[parameter.name for parameter in told.parameters],
        values=[parameter.values for parameter in told.parameters],
        width=width,
        parts=parts,
        combinations=used[:MOST_COMBINATIONS],
    )


def add_up(many: Iterable[Condensed]) -> Condensed | None:
    """Several matches of one agent as one; the first one's space counts, others are left out."""
    first: Condensed | None = None
    width, parts = 1, list[list[list[int]]]()
    combinations: dict[tuple[str, ...], int] = {}
    for each in many:
        if first is None:
            first, width = each, each.width
        if each.space != first.space:
            continue
        if each.width > width:
            parts = _coarser(parts, each.width // width, first)
            width = each.width
        parts = _added(parts, _coarser(each.parts, width // each.width, first), first)
        for values, samples in each.combinations:
            combinations[tuple(values)] = combinations.get(tuple(values), 0) + samples
    if first is None:
        return None
    used = sorted(((list(values), n) for values, n in combinations.items()), key=lambda item: -item[1])
    return msgspec.structs.replace(first, width=width, parts=parts, combinations=used)


def _empty(number: int, sizes: Iterable[int]) -> list[list[list[int]]]:
    return [[[0] * size for size in sizes] for _ in range(number)]


def _count(part: list[list[int]], samples: list[list[int]]) -> None:
    for counts, more in zip(part, samples, strict=True):
        if len(counts) != len(more):
            raise ValueError("a turn that does not fit the values")
        for i, n in enumerate(more):
            counts[i] += n


def _coarser(parts: list[list[list[int]]], times: int, space: Condensed) -> list[list[list[int]]]:
    found = _empty(-(-len(parts) // times), [len(v) for v in space.values])
    for i, part in enumerate(parts):
        _count(found[i // times], part)
    return found


def _added(a: list[list[list[int]]], b: list[list[list[int]]], space: Condensed) -> list[list[list[int]]]:
    found = _empty(max(len(a), len(b)), [len(v) for v in space.values])
    for parts in (a, b):
        for i, part in enumerate(parts):
            _count(found[i], part)
    return found
