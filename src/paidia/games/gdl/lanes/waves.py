"""Random games from many positions of a rule sheet at once, where the sheet has a lane program."""

from __future__ import annotations

from typing import Any

from paidia.core.errors import BadInput
from paidia.core.lanes.leaves import Leaves
from paidia.games.gdl.lanes.compile.build import build_leaves
from paidia.games.gdl.lanes.processor.engine import Engine, widths
from paidia.games.gdl.lanes.processor.leaves import LANES, LaneLeaves

__all__ = ["leaves_of"]


def leaves_of(game: Any, places: int, tau: float, *, decisive: bool = False) -> Leaves | None:
    """Lanes for so many positions of a game on its net, guided where tau is above 0; None where it has no lane program.

    The program is interpreted: a compiler would take seconds of somebody's start clock, and searches gain little by it, since
    they spend most of their time in the tree.
    """
    try:
        program = build_leaves(game, guided=tau > 0.0, decisive=decisive)
    except BadInput:
        return None
    words, lanes = max((found for found in widths() if found[1] <= LANES), key=lambda found: (found[0] != "plain", found[1]))
    return LaneLeaves(game, Engine(program, words=words, lanes=lanes), places, tau=tau)
