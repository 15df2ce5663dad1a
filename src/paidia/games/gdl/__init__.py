"""GDL: games written as logic rules (Stanford General Game Playing), from KIF text to a fast state.

kif      text -> s-expressions          decompose, ground   rules -> ground rules (gringo)
rules    s-expressions -> rules         aspif, net, netlist ground rules -> gates
load     rules -> game                  turns, machine, effects, kernel   gates -> states that play
"""

from __future__ import annotations

from paidia.games.gdl.library import LIBRARY, Library

__all__ = ["LIBRARY", "WORLD"]

WORLD: Library = LIBRARY
