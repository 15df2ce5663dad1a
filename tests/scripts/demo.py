"""`paidia demo`, with small budgets."""

from paidia.cli.commands import demo
from paidia.cli.main import main

demo.MATCHES, demo.TICK_SIMS, demo.FIRST_SIMS = 1, 2, 50
demo.PAIRINGS[:] = [(game, agent, opponent, 10) for game, agent, opponent, _ in demo.PAIRINGS]
demo.VIDEO_GAMES[1:], demo.VIDEO_AGENTS[1:] = [], []
main(["demo"])
print("done")
