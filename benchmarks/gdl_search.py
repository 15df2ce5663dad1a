"""Iterations per second of P_BASE (GRAVE and MAST as tuned off-line) on GDL games, beside the papers' Java player.

    python benchmarks/gdl_search.py FOLDER [GAME ...]

FOLDER holds the rule sheets as KEY/*.kif. Searches of about a second of processor time from the initial state, the best of three;
the Java rates were measured on another day and are scaled by what OpenSpiel's C++ breakthrough does here and now.
"""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path

from paidia.connect.openspiel_peer import measure
from paidia.core.budget import Budget
from paidia.games.gdl.load import load_file
from paidia.players.build import build_search
from paidia.players.registry import load_agent

#: P_BASE in Java, iterations per second from the initial state, where OpenSpiel's breakthrough did OPENSPIEL_THEN playouts
JAVA = {
    "tictactoe_3d_2player": 8653,
    "breakthrough": 8713,
    "knightThrough": 13763,
    "chinook": 5498,
    "chineseCheckers3": 7093,
    "checkers": 845,
    "connect5": 2373,
    "quad_7x7": 5196,
    "sheepAndWolf": 4898,
    "ttcc4_2player": 5322,
    "ttcc4": 5301,
    "connect4": 14736,
    "pentago": 5543,
    "reversi": 400,
}
OPENSPIEL_THEN = 22900.0

folder = Path(sys.argv[1])
peer = measure("breakthrough", seconds=1.0, search=2000, exploration=0.4)
scale = peer.playouts_per_s / OPENSPIEL_THEN if peer else 1.0
print(f"scale of this machine: {scale:.2f} (OpenSpiel {'measured' if peer else 'not installed'})")
ratios = []
for key in sys.argv[2:] or JAVA:
    sheet = next((folder / key).glob("*.kif"))
    began = time.perf_counter()
    game = load_file(sheet)
    game.initial_state().random_playouts(1, 1)
    load = time.perf_counter() - began
    search = build_search(load_agent("p-base"), game)
    state = game.initial_state()
    simulations, rates = 100, []
    while len(rates) < 3:
        search.begin_game(len(rates))
        start = time.process_time()
        search.search(state, Budget(simulations=simulations), role=0)
        took = time.process_time() - start
        if took < 0.7:
            simulations = int(simulations * min(10.0, 1.0 / max(took, 0.01)))
        else:
            rates.append(simulations / took)
    ratio = max(rates) / (JAVA[key] * scale)
    ratios.append(ratio)
    print(f"{key:22} load {load:5.2f} s   {max(rates):9,.0f} iterations/s   {ratio:6.1f}x Java", flush=True)
print(f"geometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.1f}x, least {min(ratios):.1f}x")
