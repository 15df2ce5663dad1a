"""GDL: games written as logic rules (Stanford General Game Playing), from KIF text to a fast state.

language      text -> s-expressions -> rules; check, format, how rules depend on each other
net           rules -> ground rules (gringo) -> gates -> states that play
interpreter   rules -> states that play, where a net would be too large
load          rules -> game by one of the two; library the sheets that come with paidia
"""

from __future__ import annotations

from paidia.games.gdl.library import LIBRARY, Library

__all__ = ["LIBRARY", "WORLD"]

WORLD: Library = LIBRARY
