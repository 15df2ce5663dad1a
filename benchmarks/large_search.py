"""One search of a million simulations: memory, and simulations per second of its first and last 100,000.

python benchmarks/large_search.py breakthrough uct
"""

import resource
import sys
import time

from paidia.core.budget import Budget
from paidia.games import load
from paidia.players.build import build_search
from paidia.players.registry import load_agent

game = load(sys.argv[1] if len(sys.argv) > 1 else "breakthrough")
agent = sys.argv[2] if len(sys.argv) > 2 else "uct"
search = build_search(load_agent(agent), game)
search.reuse = True  # the ten parts below are one search: nothing is forgotten between them
state = game.initial_state()
rates = []
for _ in range(10):
    began = time.process_time()
    search.search(state, Budget(simulations=100_000), role=0)
    rates.append(100_000 / (time.process_time() - began))
megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(f"{game.id} {agent}: {search.tree.n_nodes:,} nodes, {search.tree.n_edges:,} edges, {megabytes:,.0f} MB at the most")
print("simulations/s in steps of 100,000:", " ".join(f"{rate:,.0f}" for rate in rates))
print(f"last / first: {rates[-1] / rates[0]:.2f}")
