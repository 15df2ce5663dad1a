"""A whole search of your own in plain Python, for games of one role: flat Monte-Carlo. Run it:

python examples/own_search.py
"""

from __future__ import annotations

import random
import time
from typing import Any

import paidia
from paidia.search.frame.result import RootMove, SearchResult


@paidia.SEARCHES.register("flat")
class Flat(paidia.Search):
    """Every move in turn, then random moves for ten steps; the best mean is played."""

    def search(self, state: Any, budget: paidia.Budget, *, role: int = 0, step: int = 0) -> SearchResult:
        began = time.perf_counter()
        draws = random.Random(step)
        moves = state.legal(role) or [None]
        totals = dict.fromkeys(moves, 0.0)
        simulations = budget.simulations or 200
        for number in range(simulations):
            copy, move = state.clone(), moves[number % len(moves)]
            copy.seed(draws.getrandbits(63))
            copy.play([move])
            for _ in range(10):
                if copy.terminal or not copy.legal(role):
                    break
                copy.play([draws.choice(copy.legal(role))])
            totals[move] += copy.values[role]
        rows = [RootMove(move, simulations // len(moves), total / simulations * len(moves)) for move, total in totals.items()]
        best = max(moves, key=lambda move: totals[move])
        return SearchResult(best, rows, simulations, time.perf_counter() - began, 10 * simulations)


def main() -> None:
    """Check the search, then play a video game with it."""
    paidia.testing.check_search(Flat, simulations=40)
    print("flat keeps the contract of a search")
    game = paidia.load("vgdl:museum")
    state, search = game.initial_state(1), Flat(game)
    search.begin_game(1)
    for step in range(30):
        if state.terminal:
            break
        state.play([search.search(state, paidia.Budget(simulations=60), step=step).move])
    print(f"flat has a score of {state.score:g} after {state.tick} ticks of museum")


if __name__ == "__main__":
    main()
