"""Numbers that are no role, move, cell or type, and nothing in the place of something, are refused, or are words for nothing;
they are never read from memory.

Each object is asked in a process of its own: what goes wrong here ends it.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

ATTACK = """
import itertools, sys
from paidia.core.budget import Budget
from paidia.games import load
from paidia.games.gdl.interpreter.interpreter import load as interpret
from paidia.games.gdl.language.rules import parse_sheet
from paidia.games.gdl.library import LIBRARY
from paidia.players.build import build_search
from paidia.players.registry import load_agent

SKIP = {"random_steps", "random_playouts", "random_run", "copies", "random_playout", "generic_playout", "recruit", "save"}
NUMBERS = [-1, -(10**6), 5000, 10**6, 2**31 - 1, -(2**31), None]
KERNEL = 1 << 9     # types that are not compiled have this flag


def searches(game, names):
    for name in names:
        search = build_search(load_agent(name), game)
        search.begin_game(1)
        search.search(game.initial_state(), Budget(simulations=30))
        yield search


def parts(thing):
    values = [getattr(thing, name, None) for name in dir(thing) if not name.startswith("__")]
    return [one for one in values if type(one).__module__.startswith("paidia") and not type(one).__flags__ & KERNEL]


for words in sys.argv[1:]:
    spec, *names = words.split()
    game = interpret(parse_sheet(LIBRARY.text("tic-tac-toe")), "t") if spec == "interpreted" else load(spec)
    found = list(searches(game, names))
    for thing in (game, game.initial_state(), *found, *(part for search in found for part in parts(search))):
        made = type(thing)
        for given in [(None,), (None, None), (None, 1), (-1,), (10**6, -1)]:
            print(spec, made, given, file=sys.stderr)
            try:
                made(*given)
            except Exception:
                pass
        for name in dir(thing):
            call = None if name.startswith("_") or name in SKIP else getattr(thing, name, None)
            if callable(call):
                for given in [*itertools.product(NUMBERS), *itertools.product([0, *NUMBERS], repeat=2), (-1, "x"), (10**6, "x")]:
                    print(spec, name, given, file=sys.stderr)
                    try:
                        call(*given)
                    except Exception:
                        pass
print("alive")
"""

THINGS = [
    [
        "tic-tac-toe uct grave cadia-style mast prover",
        "connect4",
        "breakthrough",
        "domineering",
        "reversi",
        "hex@5x5",
        "go@5x5",
        "knightthrough",
    ],
    ["gdl:tic-tac-toe", "gdl:coin-guess", "interpreted"],
    ["vgdl:museum one-step iw-1 bfs-safe olets rhea hybrid sample-mcts maastcts2"],
]


@pytest.mark.parametrize("specs", THINGS, ids=["boards", "gdl", "vgdl"])
def test_they_are_refused(specs: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", ATTACK, *specs], capture_output=True, text=True, check=False)
    assert done.stdout == "alive\n", done.stderr[-200:]
