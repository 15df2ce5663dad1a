"""The behaviour that results depend on, as the text that is kept with them."""

from __future__ import annotations

from collections.abc import Iterable

from paidia.experiment.cells import Cell
from paidia.experiment.signature.known import known_parts
from paidia.games import find

__all__ = ["behaviour", "behaviour_in", "differ", "parts_of"]


def parts_of(world: str, *, controlled: bool) -> list[str]:
    """The parts that a result of a world depends on; `controlled`: some agent changes its parameters while it plays."""
    known = {"board": ["board"], "gdl": ["gdl"], "vgdl": ["vgdl", "arcade"], "vgdl2": ["vgdl", "arcade"]}
    own = known.get(world, ["board", "arcade"])  # games from outside are played by the same searches
    return [*own, *(["control"] if controlled else []), "experiment"]


def behaviour(names: Iterable[str]) -> str:
    """Some parts as the text that is kept with a result."""
    return " ".join(f"{name}:{number}" for name, number in known_parts(names).items())


def behaviour_in(cell: Cell) -> str:
    """The behaviour that the results of a cell depend on."""
    controlled = any(contender.definition.control for contender in cell.contenders)
    return behaviour(parts_of(find(cell.game).world, controlled=controlled))


def differ(behaviours: Iterable[str]) -> bool:
    """Whether results come from versions that behave differently: some part has two values, or is not told in parts at all."""
    known: dict[str, set[str]] = {}
    for text in set(behaviours):
        for word in text.split() or [""]:
            name, _, value = word.rpartition(":")
            known.setdefault(name, set()).add(value)
    return any(len(values) > 1 for values in known.values()) or ("" in known and len(known) > 1)
