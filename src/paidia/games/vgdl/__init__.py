"""Video games: VGDL text and a level in, an `ArcadeState` out.

language   text -> descriptions and levels, and what is wrong with them
compile    descriptions and levels -> tables -> a game
engine     what happens in a tick; every effect, sprite class and termination declares its word beside its C function
views      what agents and people see, and the comparison with recorded games
library    the games that come with paidia; folders the user's own
"""

from __future__ import annotations

from paidia.games.vgdl.library import VgdlWorld

__all__ = ["WORLD"]

WORLD = VgdlWorld()
