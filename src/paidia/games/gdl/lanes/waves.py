"""Random games from many positions of a rule sheet at once, where the sheet has a lane program."""

from __future__ import annotations

from typing import Any

from paidia.core.errors import BadInput
from paidia.core.lanes.leaves import Leaves
from paidia.games.gdl.lanes.compile.build import build_program
from paidia.games.gdl.lanes.processor.engine import Engine, widths
from paidia.games.gdl.lanes.processor.leaves import LANES, LaneLeaves
from paidia.games.gdl.lanes.processor.native import compile_program

__all__ = ["leaves_of"]

#: Operations of a step that are compiled at once where there is a compiler: about a second, and then kept.
COMPILED = 12_000


def leaves_of(game: Any, places: int, tau: float) -> Leaves | None:
    """Lanes for so many positions of a game on its net, guided where tau is above 0; None where it has no lane program."""
    try:
        program = build_program(game, guided=tau > 0.0)
    except BadInput:
        return None
    native = compile_program(program, routines=("leaf", "goals"), only_kept=program.leaf.size > COMPILED)
    if native is not None and native.lanes > LANES:
        native = None
    words, lanes = max((found for found in widths() if found[1] <= LANES), key=lambda found: (found[0] != "plain", found[1]))
    engine = Engine(program, native=native) if native is not None else Engine(program, words=words, lanes=lanes)
    return LaneLeaves(game, engine, places, tau=tau)
