"""Games of OpenSpiel, by their names there: `openspiel:chess`, `openspiel:hex(board_size=5)`.

They are played through its Python interface, so every search works on them, slower than on our own games. Needs the extra
`openspiel`; the other direction, our games in OpenSpiel, is `paidia.connect.openspiel`.
"""

from __future__ import annotations

from paidia.games.openspiel.world import OPENSPIEL, OpenSpielWorld

__all__ = ["OPENSPIEL", "WORLD"]

WORLD: OpenSpielWorld = OPENSPIEL
