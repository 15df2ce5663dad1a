"""Video games for two that come with paidia (`vgdl2:NAME`): the same language and engine as `vgdl`, with `no_players=2`."""

from __future__ import annotations

from paidia.games.vgdl.library import TwoPlayerWorld

__all__ = ["WORLD"]

WORLD = TwoPlayerWorld()
