"""A playout strategy of your own in plain Python, in the same search as the ones that come with paidia.

In breakthrough who reaches the last row wins, so pieces that are far ahead matter most. The strategy below
prefers to move them; the example lets it play against uniform playouts. Run it:

    python examples/own_playout.py
"""

from __future__ import annotations

from collections.abc import Sequence

from paidia.core.budget import Budget
from paidia.core.game import Game, State
from paidia.core.player import Decision, Player
from paidia.games import load
from paidia.match.referee import play_match
from paidia.report.statistics import wilson
from paidia.search.backup.monte_carlo import MonteCarlo
from paidia.search.final_move.most_visits import MostVisits
from paidia.search.mcts import Mcts
from paidia.search.playout.base import Playout, PythonPlayout
from paidia.search.playout.uniform import Uniform
from paidia.search.selection.ucb1 import Ucb1
from paidia.testing import check_strategy

GAME = "breakthrough@5x4"
MATCHES = 40


class Forward(PythonPlayout):
    """Of three legal moves drawn at random, the one that brings a piece furthest."""

    def pick(self, state: State, role: int, moves: Sequence[int], random: float) -> int:
        best, furthest = 0, -1
        for _ in range(3):
            random *= len(moves)  # the next digits of the search's random number: same seed, same playout
            index, random = int(random), random % 1.0
            row = int(state.game.move_name(role, moves[index])[-1])
            progress = row if role == 0 else -row + 100
            if progress > furthest:
                best, furthest = index, progress
        return best


class Searcher(Player):
    """The smallest player around a search."""

    def __init__(self, name: str, playout: type[Playout]) -> None:
        self.name, self.playout = name, playout

    def begin(self, game: Game, role: int, *, state: State, seed: int, budget: Budget | None) -> None:
        self.role = role
        self.search = Mcts(game, selection=Ucb1(), playout=self.playout(), backup=MonteCarlo(), final_move=MostVisits())
        self.search.begin_game(seed)

    def act(self, state: State, *, step: int, budget: Budget | None) -> Decision:
        if not state.legal(self.role):
            return Decision(None)
        result = self.search.search(state, budget, role=self.role, step=step)
        return Decision(result.move, simulations=result.simulations)


def main() -> None:
    """Check the strategy, then play some matches with it, first and second in turn."""
    check_strategy(Forward, games=[load(GAME)])
    print("Forward keeps the contract of a strategy")
    budget = Budget(simulations=60)
    players = [Searcher("forward", Forward), Searcher("uniform", Uniform)]
    points = 0.0
    for match in range(MATCHES):
        seat = match % 2
        order = players if seat == 0 else players[::-1]
        points += play_match(load(GAME), order, seed=match, budget=budget).record.goals[seat]
    won = wilson(MATCHES, points).scaled(100)
    print(f"forward wins {won.mean:.0f} % of {MATCHES} matches against uniform")
    print(f"95 % interval (Wilson): {won.low:.0f} to {won.high:.0f} %")


if __name__ == "__main__":
    main()
