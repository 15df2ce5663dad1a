"""Video games: VGDL text and a level in, an `ArcadeState` out.

`text` and `description` read the rules, `level` the level, `ontology` lists the words of the language,
`tables` turns all of it into numbers. The kernels run on those: `layout` says how a state lies in memory,
`sprites` keeps the records, `avatars` and `behaviours` move them, `collisions` finds who meets whom and
`effects` what comes of it, `terminations` ends the game; `game` joins them. `observation` is what an agent is
shown, `conform` replays recorded games.
"""

from __future__ import annotations

from paidia.games.vgdl.library import VgdlWorld

__all__ = ["WORLD"]

WORLD = VgdlWorld()
