"""Conformance kits: what every game, strategy, search, tuner or player must obey, for our own ones and for yours.

from paidia.testing import check_game, check_player, check_strategy, check_tuner

def test_my_game():
    check_game(MyGame())

def test_my_playout():
    check_strategy(MyPlayout)

def test_my_player():
    check_player(MyPlayer)

def test_my_tuner():
    check_tuner(lambda: make_controller({"kind": "my-tuner", "parameters": ["K", "ref"]}))
"""

from __future__ import annotations

from paidia.testing.arcade_games import check_arcade_game
from paidia.testing.games import check_game
from paidia.testing.players import check_player
from paidia.testing.searches import check_search
from paidia.testing.strategies import check_strategy
from paidia.testing.tuners import check_tuner

__all__ = ["check_arcade_game", "check_game", "check_player", "check_search", "check_strategy", "check_tuner"]
