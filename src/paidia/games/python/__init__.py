"""Games written in Python outside of paidia: `my_game.py`, `my_game.py:Chomp`, and `python:NAME` of installed packages."""

from __future__ import annotations

from paidia.games.python.world import PythonWorld

__all__ = ["WORLD"]

WORLD = PythonWorld()
