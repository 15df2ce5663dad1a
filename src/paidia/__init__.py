"""paidia: give it rules it has never seen, and it plays them.

    import paidia

    game = paidia.load("gdl:breakthrough")
    match = paidia.play(game, ["grave", paidia.agent("uct", C=0.7)], sims=1000)
    found = paidia.search(game.initial_state(), "grave", sims=10_000)

What people type stands here; each name is loaded when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from paidia.core.loading.kernels import watch_imports

if TYPE_CHECKING:
    from paidia.api import Agent, agent, load, play, report, run, search
    from paidia.connect.vector import vector
    from paidia.control.python_tuner import PythonTuner
    from paidia.core.arcade import ArcadeGame, ArcadeState
    from paidia.core.budget import Budget
    from paidia.core.errors import PaidiaError
    from paidia.core.game import Game, State
    from paidia.core.lanes.vector import Vector
    from paidia.core.player import Decision, Player
    from paidia.core.python.python_arcade import PythonArcadeGame, PythonArcadeState
    from paidia.core.python.python_game import PythonGame, PythonState
    from paidia.search.final_move.base import FinalMove
    from paidia.search.frame.python_strategy import (
        PythonBackup,
        PythonEvaluation,
        PythonPlayout,
        PythonPruning,
        PythonRepair,
        PythonRoot,
        PythonSelection,
        PythonStrategy,
    )
    from paidia.search.frame.search import Search
    from paidia.search.registry import FINAL_MOVES, PLAYOUTS, SEARCHES, SELECTIONS

__version__ = "0.2.0"

__all__ = [
    "FINAL_MOVES",
    "PLAYOUTS",
    "SEARCHES",
    "SELECTIONS",
    "Agent",
    "ArcadeGame",
    "ArcadeState",
    "Budget",
    "Decision",
    "FinalMove",
    "Game",
    "PaidiaError",
    "Player",
    "PythonArcadeGame",
    "PythonArcadeState",
    "PythonBackup",
    "PythonEvaluation",
    "PythonGame",
    "PythonPlayout",
    "PythonPruning",
    "PythonRepair",
    "PythonRoot",
    "PythonSelection",
    "PythonState",
    "PythonStrategy",
    "PythonTuner",
    "Search",
    "State",
    "Vector",
    "__version__",
    "agent",
    "load",
    "play",
    "report",
    "run",
    "search",
    "vector",
]

#: name -> the module that has it
_HOMES = {
    **dict.fromkeys(("Agent", "agent", "load", "play", "run"), "paidia.api"),
    **dict.fromkeys(("ArcadeGame", "ArcadeState"), "paidia.core.arcade"),
    **dict.fromkeys(("Game", "State"), "paidia.core.game"),
    **dict.fromkeys(("Decision", "Player"), "paidia.core.player"),
    **dict.fromkeys(("PythonArcadeGame", "PythonArcadeState"), "paidia.core.python.python_arcade"),
    **dict.fromkeys(("PythonGame", "PythonState"), "paidia.core.python.python_game"),
    **dict.fromkeys(
        (
            "PythonBackup",
            "PythonEvaluation",
            "PythonPlayout",
            "PythonPruning",
            "PythonRepair",
            "PythonRoot",
            "PythonSelection",
            "PythonStrategy",
        ),
        "paidia.search.frame.python_strategy",
    ),
    **dict.fromkeys(("FINAL_MOVES", "PLAYOUTS", "SEARCHES", "SELECTIONS"), "paidia.search.registry"),
    "Budget": "paidia.core.budget",
    "FinalMove": "paidia.search.final_move.base",
    "PaidiaError": "paidia.core.errors",
    "PythonTuner": "paidia.control.python_tuner",
    "Search": "paidia.search.frame.search",
    "Vector": "paidia.core.lanes.vector",
    "vector": "paidia.connect.vector",
}

watch_imports()


def __getattr__(name: str) -> Any:
    if name in ("report", "search", "testing"):  # packages; the first two can be called
        return importlib.import_module(f"paidia.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'paidia' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
