"""One number for how paidia behaves: a fixed-seed search over a fixed suite, folded into 64 bits.

It changes only when behaviour changes (rules, search, agents), never with speed, machine or refactoring, so two results with
the same signature were made by the same algorithms.
"""

from __future__ import annotations

import hashlib

from paidia.core.budget import Budget
from paidia.games import load
from paidia.match.referee import play_match
from paidia.players.registry import make_player

__all__ = ["SUITE", "signature"]

#: (game, agents) of the matches that make up the signature; each agent searches 200 simulations per move.
SUITE: list[tuple[str, list[str]]] = [
    ("tic-tac-toe", ["uct", "random"]),
    ("connect4", ["grave", "uct"]),
    ("connect5", ["hrave", "rave"]),
    ("breakthrough", ["ppafm", "ppaf"]),
    ("misere-knightthrough", ["ppa", "ucb1-tuned"]),
    ("domineering", ["ppaf", "mast"]),
    ("atarigo@6x6", ["ppafm", "nst"]),
    ("nogo@6x6", ["progressive-history", "ppa"]),
    ("hex@6x6", ["nst", "grave"]),
    ("reversi@6x6", ["rave", "mast"]),
    ("go@5x5", ["uct", "hrave"]),
]


def signature() -> int:
    """The signature of this version, a number of 60 bits."""
    digest = hashlib.sha256()
    for number, (game, agents) in enumerate(SUITE):
        players = [make_player(agent, budget=Budget(simulations=200)) for agent in agents]
        result = play_match(load(game), players, seed=number)
        digest.update(repr((game, agents, result.record.moves, result.record.goals)).encode())
    return int(digest.hexdigest()[:15], 16)
