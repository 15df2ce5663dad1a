"""Conformance kits: what every game, strategy, tuner or player must obey, for our own ones and for yours.

    from paidia.testing import check_game

    def test_my_game():
        check_game(MyGame())
"""

from __future__ import annotations

from paidia.testing.games import check_game

__all__ = ["check_game"]
