"""Which relations of a game to evaluate on demand, found by trying.

Working a relation out in full is the best way for most: it is done once for everyone who asks. Where a walk through the game
shows that some take more than the rest together, they are evaluated on demand (`demand.py`), then those who ask for them, as
long as that makes positions cheaper. Cost is the number of rows looked at, so the choice is the same on every machine; the game
is the same in any case.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from paidia.core.errors import BadInput
from paidia.games.gdl.interpreter.demand import on_demand, plain_signature
from paidia.games.gdl.interpreter.plans import Group, Limits, Program, TooMuch
from paidia.games.gdl.language.rules import ARITY, Atom, FlatRule, Literal, RuleSheet

if TYPE_CHECKING:
    from paidia.games.gdl.interpreter.interpreter import InterpretedGame

__all__ = ["fitted"]

TRIALS = 10
TRIAL_WORK = (1_000_000, 10_000_000)  # rows of one position in a trial; the second where no trial gets through with the first
WALK_WORK = 4_000_000  # rows of all positions of a trial, about
WALK_STEPS = 1000
CHEAP = 20_000  # rows of a position that nobody tries to improve
SHARE = 0.1  # of the work: a group that takes more is worth another way

G = TypeVar("G", bound="InterpretedGame")
Signature = tuple[str, int]


def fitted(make: Callable[[Program], G], sheet: RuleSheet, limits: Limits, *, patience: float = float("inf")) -> G:
    """The game, with those relations on demand that are better so; `make` makes a game of a program.

    After `patience` seconds no further trial is made, which makes the game slower at most.
    """
    ends = time.monotonic() + patience
    for work in TRIAL_WORK:
        best = _best(make, sheet, limits._replace(work=min(limits.work, work)), ends)
        if best is not None:
            return make(Program(sheet, limits, best))
    return make(Program(sheet, limits))  # perhaps the full limits are enough


def _best(make: Callable[[Program], G], sheet: RuleSheet, limits: Limits, ends: float) -> Sequence[FlatRule] | None:
    """The cheapest rules of all trials, None if no trial gets through."""
    rules: Sequence[FlatRule] = sheet.flat
    wanted: set[Signature] = set()
    best, least = None, float("inf")
    for _ in range(TRIALS):
        if time.monotonic() > ends:
            break
        cost, heavy = _try(make, sheet, rules, limits)
        if cost < least:
            best, least = rules, cost
        more = heavy - wanted or _askers(sheet.flat, wanted)
        if cost <= CHEAP or not more:
            break
        wanted |= more
        rules = on_demand(sheet.flat, wanted)
    return best


def _try(
    make: Callable[[Program], G], sheet: RuleSheet, rules: Sequence[FlatRule], limits: Limits
) -> tuple[float, set[Signature]]:
    """Rows for a position on a random walk (infinite where the limits are too tight), and the relations that cost most."""
    try:
        program = Program(sheet, limits, rules)
    except TooMuch as error:
        return float("inf"), _plain(error.relations)
    game = None
    positions, failed = 0, False
    chance = random.Random(0)
    try:
        game = make(program)
        state = game.initial_state()
        while positions < WALK_STEPS and sum(game.work()) < WALK_WORK and not state.terminal:
            joint = [chance.choice(legal) if (legal := state.legal(role)) else None for role in range(game.n_roles)]
            state.play(joint)
            _ = state.goals
            positions += 1
    except BadInput:
        failed = True
    if game is None:
        return float("inf"), set()
    work = game.work()
    heavy = [group for group, spent in zip(program.groups, work, strict=True) if spent > SHARE * sum(work)]
    cost = float("inf") if failed else sum(work) / max(1, positions)
    return cost, set().union(*(_relations(group) for group in heavy))


def _askers(rules: Sequence[FlatRule], wanted: set[Signature]) -> set[Signature]:
    """Who asks for relations on demand: where they ask for too much, they should be asked themselves."""
    heads = {rule.head.signature for rule in rules if any(_signature(x) in wanted for x in rule.body)}
    return {signature for signature in heads if signature[0] not in ARITY} - wanted


def _signature(literal: Literal) -> Signature | None:
    return literal.atom.signature if isinstance(literal.atom, Atom) else None


def _relations(group: Group) -> set[Signature]:
    return _plain(group.relations)


def _plain(relations: set[Signature] | frozenset[Signature]) -> set[Signature]:
    """The relations of the sheet behind those of the program."""
    return {plain_signature(signature) for signature in relations}
