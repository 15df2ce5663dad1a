"""What the papers state without playing, `facts.csv` beside their plans, and what paidia has in its place.

    table,what,subject,value,ours

`ours` is filled in for what has to be looked up in a run; everything else is asked of paidia itself, here. A fact is the
"same" or "other", and "not compared" where there is nothing of ours to put beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec

from paidia.control.sets import value_set
from paidia.core.arcade import CATEGORIES, ArcadeGame
from paidia.core.csv_files import read_rows
from paidia.games import load_as
from paidia.players.registry import load_agent

__all__ = ["Fact", "facts_of"]

COLUMNS = ("table", "what", "subject", "value", "ours")


class Fact(msgspec.Struct, frozen=True):
    """One fact: which table states it, what it is and of what, in the paper and in paidia."""

    table: str
    what: str
    subject: str
    value: str
    ours: str = ""

    @property
    def verdict(self) -> str:
        """ "same", "other" or "not compared"."""
        if not self.ours:
            return "not compared"
        return "same" if _alike(self.value, self.ours) else "other"


def facts_of(folder: Path) -> list[Fact]:
    """The facts of a paper, with ours."""
    stated = [msgspec.convert(row, Fact) for row in read_rows(folder / "facts.csv", COLUMNS)]
    asked: dict[tuple[str, str], list[str]] = {}
    found = []
    for fact in stated:
        if fact.ours or fact.what not in _OURS:
            found.append(fact)
            continue
        key = (fact.what, fact.subject)
        left = asked[key] if key in asked else asked.setdefault(key, _OURS[fact.what](folder, fact.subject))
        own = next((value for value in left if _alike(fact.value, value)), None)
        if own is not None:
            left.remove(own)  # a value that is printed twice is there once
        found.append(msgspec.structs.replace(fact, ours=own if own is not None else left[0] if len(left) == 1 else "-"))
    return found


def _alike(value: str, ours: str) -> bool:
    try:
        return float(value) == float(ours)
    except ValueError:
        return value.partition(":")[0] == ours.partition(":")[0]


def _preset(agent: str, folder: Path, subject: str) -> list[str]:
    return [str(load_agent(agent).parameters[subject])]


def _set(name: str, folder: Path, subject: str) -> list[str]:
    return [str(value) for parameter in value_set(name).parameters if parameter.name == subject for value in parameter.values]


def _weight(folder: Path, subject: str) -> list[str]:
    """What a sprite of a category is worth in the first tick, to the hundredth: each tick adds a little."""
    from paidia.search.evaluation.knowledge import Knowledge  # a kernel that other commands of this room do not need

    category = CATEGORIES.index({"static": "immovable"}.get(subject, subject))
    found = []
    for name in ("vgdl:museum", "vgdl:boilers"):  # which have all five kinds between them
        game = load_as(ArcadeGame, name, level="0")
        state = game.initial_state()
        knowledge = Knowledge()
        knowledge.begin_game(game, state)
        knowledge.begin_tick(state)
        seen = {kind: sprite[0] for sprite in state.seen() for kind in [game.types[sprite[1]]]}
        weights = knowledge.weights().items()
        found += [f"{weight:.2f}" for kind, weight in weights if seen.get(kind) == category]
    return found[:1]


#: What is asked of paidia: the folder of the paper and the subject make a list of values.
_OURS: dict[str, Callable[[Path, str], list[str]]] = {
    "initial weight": _weight,
    "tuned value": partial(_preset, "p-base"),
    "poor value": partial(_preset, "sub-opt-6"),
    "feasible value": partial(_set, "original"),
    "feasible value, larger set": partial(_set, "larger"),
    "feasible value, other range": partial(_set, "range"),
}
