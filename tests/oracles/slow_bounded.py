"""Selection `bounded` written to be read: UCB1 over the moves that proofs leave open, the history of moves as prior visits."""

from __future__ import annotations

import math

from oracles.slow_cadia import SlowCadia
from oracles.slow_mcts import Node
from paidia.core.game import Game
from paidia.core.machine.maths import portable_log
from paidia.search.frame.parameters import Parameters


class SlowBounded(SlowCadia):
    """Playouts and backup of `cadia-style`, whose proofs it goes by."""

    def __init__(self, game: Game, parameters: Parameters, *, seed: int, prior: int, solver: bool = True) -> None:
        super().__init__(game, parameters, seed=seed, solver=solver)
        self.prior = prior

    def value(self, node: Node, role: int, i: int) -> float:
        visits = node.tries[role][i] + self.prior
        if visits == 0:
            return math.inf
        total = node.sums[role][i]
        if self.prior:
            total += self.prior * self.mast_value(role, node.moves[role][i])
        log_visits = portable_log(float(max(1, node.visits + self.prior)))
        # Products of reciprocals round otherwise than quotients, and decisions are compared to the last bit.
        return total * (1.0 / visits) + self.p.C * math.sqrt(log_visits) * (1.0 / math.sqrt(visits))

    def choose(self, node: Node, role: int) -> int:
        values = [self.value(node, role, i) for i in range(len(node.moves[role]))]
        chosen = self.one_of_the_best(values, list(range(len(values))))
        if self.solver and node.mover == role:
            lost = self.bounds_of(self.children.get((id(node), chosen)))[role][1] == 0
            if lost or self.bounds_of(node)[role][0] > 0:  # else nothing speaks against it
                return self.one_of_the_best(values, self.open(node, role))
        return chosen

    def one_of_the_best(self, values: list[float], places: list[int]) -> int:
        best = max(values[i] for i in places)
        good = [i for i in places if values[i] >= best - self.p.VO]
        return good[0] if len(good) == 1 else good[self.rng.below(len(good))]
