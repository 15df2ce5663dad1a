"""Numbers that are no role, move, cell or type are refused, or are words for nothing; they are never read from memory.

Each object is asked in a process of its own: what goes wrong here ends it.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

ATTACK = """
import itertools, sys
from paidia.games import load
from paidia.games.gdl.interpreter.interpreter import load as interpret
from paidia.games.gdl.language.rules import parse_sheet
from paidia.games.gdl.library import LIBRARY

SKIP = {"random_steps", "random_playouts", "random_run", "copies", "random_playout", "generic_playout"}
NUMBERS = [-1, -(10**6), 5000, 10**6, 2**31 - 1, -(2**31)]
for spec in sys.argv[1:]:
    game = interpret(parse_sheet(LIBRARY.text("tic-tac-toe")), "t") if spec == "interpreted" else load(spec)
    for thing in (game, game.initial_state()):
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
    ["tic-tac-toe", "connect4", "breakthrough", "domineering", "reversi", "hex@5x5", "go@5x5", "knightthrough"],
    ["gdl:tic-tac-toe", "gdl:coin-guess", "interpreted"],
    ["vgdl:museum"],
]


@pytest.mark.parametrize("specs", THINGS, ids=["boards", "gdl", "vgdl"])
def test_they_are_refused(specs: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", ATTACK, *specs], capture_output=True, text=True, check=False)
    assert done.stdout == "alive\n", done.stderr[-200:]
