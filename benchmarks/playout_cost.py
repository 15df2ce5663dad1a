"""What a playout of each strategy costs, against uniform ones: whole simulations of UCT searches of 10,000, same run.

python benchmarks/playout_cost.py breakthrough
"""

import sys
import time

from paidia.core.budget import Budget
from paidia.games import load
from paidia.players.build import build_search
from paidia.players.registry import load_agent

game = load(sys.argv[1] if len(sys.argv) > 1 else "breakthrough")
state = game.initial_state()
costs = {}
for agent in ("uct", "mast", "nst", "ppa", "ppaf", "ppafm"):
    search = build_search(load_agent(agent), game)
    best, steps = float("inf"), 0
    for seed in range(8):
        search.begin_game(seed)
        began = time.process_time()
        result = search.search(state, Budget(simulations=10_000), role=0)
        took = (time.process_time() - began) / result.simulations
        if took < best:
            best, steps = took, result.steps / result.simulations
    costs[agent] = best
    print(
        f"{game.id} {agent:6} {best * 1e6:7.2f} us a simulation of {steps:5.1f} moves, {best / steps * 1e9:6.1f} ns a move,"
        f" {best / costs['uct']:5.1f}x uniform"
    )
