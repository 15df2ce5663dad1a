"""Monte-Carlo Tree Search written to be read: dictionaries, lists and the formulas of the papers.

It draws its random numbers in the same order as the kernels, so that under the same seed every visit count must be equal.
"""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np

from oracles.splitmix import SplitMix
from paidia.core.game import Game, State
from paidia.core.machine.maths import portable_exp, portable_log
from paidia.core.seeds import spawn
from paidia.search.frame.parameters import Parameters


class Node:
    def __init__(self, state: State) -> None:
        self.terminal = state.terminal
        self.mover = state.mover
        self.visits = 0
        self.stamp = 0
        self.moves: list[list[int]] | None = None  # per role, None until the second visit
        self.tries: list[list[int]] = []
        self.sums: list[list[float]] = []
        self.squares: list[list[float]] = []
        self.amaf: dict[tuple[int, int], list[np.float32]] = {}

    def expand(self, state: State, decisive: bool = False) -> None:
        self.moves = [moves_of(state, role, decisive) for role in range(state.game.n_roles)]
        self.tries = [[0] * len(m) for m in self.moves]
        self.sums = [[0.0] * len(m) for m in self.moves]
        self.squares = [[0.0] * len(m) for m in self.moves]


def moves_of(state: State, role: int, decisive: bool) -> list[int]:
    return state.decisive(role) if decisive else state.legal(role)


class SlowMcts:
    reads = False       # parameters change with each move that is valued

    def __init__(
        self, game: Game, *, selection: str, playout: str, parameters: Parameters, seed: int, ties: str = "random",
        max_depth: int = 500, features: bool = True, adapt_tree: bool = True, generic_playout: bool = False,
        decisive: bool = False,
    ) -> None:
        self.game, self.selection, self.playout, self.p, self.ties = game, selection, playout, parameters, ties
        self.of_role = [parameters] * game.n_roles
        self.max_depth, self.features, self.adapt_tree = max_depth, features, adapt_tree
        # Where nobody records the moves, the state's own playout runs; the generic one draws for single moves too.
        self.generic_playout, self.decisive = generic_playout, decisive
        self.rng = SplitMix(spawn(seed, 0))
        self.nodes: dict[int, Node] = {}
        self.actions: dict[tuple[int, int], list[float]] = {}
        self.ngrams: dict[tuple[int, ...], list[float]] = {}
        self.weights: dict[tuple[int, int], float] = defaultdict(float)
        self.step = 0
        self.played = self.deepest = 0

    def begin_step(self, step: int, *, keep_steps: int, decay: float = 1.0, memory: bool = False) -> None:
        """A later step of the game: old nodes go, tables fade, the policy is kept or forgotten."""
        self.step = step
        self.nodes = {key: node for key, node in self.nodes.items() if node.stamp >= step - keep_steps}
        # Each playout strategy fades its own table.
        table = self.actions if self.playout in ("mast", "gibbs") else self.ngrams
        for key, (visits, total, mean) in list(table.items()) if decay < 1 else []:
            left = float(round(decay * visits))
            table[key] = [left, (mean if table is self.actions else total / visits) * left, mean]
            if left == 0:
                del table[key]
        if not memory:
            self.weights.clear()

    def search(self, root: State, simulations: int) -> Node:
        self.played = self.deepest = 0
        for _ in range(simulations):
            self.simulate(root)
        return self.nodes[root.key]

    def simulate(self, root: State) -> None:
        state = root.clone()
        self.history: list[tuple[int | None, ...]] = []
        self.choices: list[tuple[int, list[int], int]] = []     # (role, codes, index played), playout only
        path: list[tuple[Node, list[int | None]]] = []
        reference: list[Node | None] = [None] * self.game.n_roles
        node = self.nodes.get(root.key)
        new = node is None
        if new:
            node = self.nodes[root.key] = Node(state)
        node.stamp = self.step
        while not new:
            if node.terminal or len(self.history) >= self.max_depth:
                break
            if node.moves is None:
                node.expand(state, self.decisive)
            chosen: list[int | None] = []
            joint: list[int | None] = []
            for role in range(self.game.n_roles):
                # The closest node with enough visits, whoever is on move in it.
                self.at_state(role)
                if reference[role] is None or node.visits >= self.of_role[role].ref:
                    reference[role] = node
            for role, moves in enumerate(node.moves):
                if not moves:
                    chosen.append(None)
                    joint.append(None)
                    continue
                self.p = self.of_role[role]
                i = 0
                if len(moves) > 1:
                    if node.visits < self.p.T:
                        i = self.playout_choice(state, role, moves)
                    else:
                        i = self.select(node, role, reference[role])
                chosen.append(i)
                joint.append(moves[i])
            path.append((node, chosen))
            state.play(joint)
            self.history.append(tuple(joint))
            node = self.nodes.get(state.key)
            if node is None:
                new = True
                node = self.nodes[state.key] = Node(state)
            node.stamp = self.step
        self.choices = []
        tree_length = len(self.history)
        if not node.terminal:
            self.run_playout(state)
        self.played += len(self.history)
        self.deepest = max(self.deepest, tree_length)
        self.learn(root, path, node if new and not node.terminal else None, tree_length, state.goals)

    def at_state(self, role: int) -> None:
        """The simulation is in a state; a controller may change the parameters of a role, `of_role[role]`, here."""

    def at_read(self, role: int) -> None:
        """The value of a move is about to be computed; a controller may change the role's parameters here."""

    # ------------------------------------------------------------ selection

    def select(self, node: Node, role: int, reference: Node) -> int:
        p = self.p
        tries, sums, moves = node.tries[role], node.sums[role], node.moves[role]
        if self.selection == "ucb1" and p.fpu == math.inf and node.visits < len(moves):
            unvisited = [i for i, n in enumerate(tries) if n == 0]
            if unvisited:
                return unvisited[0] if self.ties == "first" else unvisited[self.rng.below(len(unvisited))]
        log_visits = portable_log(float(max(1, node.visits)))
        values = []
        for i, move in enumerate(moves):
            self.at_read(role)
            p = self.p
            n = tries[i]
            if self.selection == "ucb1" and self.reads:
                value = p.fpu if n == 0 else sums[i] / n + p.C * math.sqrt(log_visits / n)
            elif self.selection == "ucb1":
                value = p.fpu if n == 0 else sums[i] * (1.0 / n) + p.C * math.sqrt(log_visits) * (1.0 / math.sqrt(n))
            elif self.selection == "ucb1-tuned":
                if n == 0:
                    value = p.fpu
                else:
                    mean = sums[i] / n
                    variance = node.squares[role][i] / n - mean * mean + math.sqrt(2.0 * log_visits / n)
                    value = mean + p.C * math.sqrt(log_visits / n * min(0.25, variance))
            elif self.selection == "grave":
                value = self.grave(node, role, i, reference, log_visits)
            else:
                history = self.actions.get((role, move))
                bonus = (history[2] if history else 1.0) * p.W
                if n == 0:
                    value = p.fpu + bonus
                else:
                    mean = sums[i] / n
                    value = mean + p.C * math.sqrt(log_visits / n) + bonus / (n - n * mean + 1.0)
            values.append(value)
        best = max(values)
        good = [i for i, value in enumerate(values) if value >= best - p.VO]
        if len(good) == 1 or self.ties == "first":
            return good[0]
        return good[self.rng.below(len(good))]

    def grave(self, node: Node, role: int, i: int, reference: Node, log_visits: float) -> float:
        p = self.p
        n = node.tries[role][i]
        entry = reference.amaf.get((role, node.moves[role][i])) if p.K > 0 else None
        if p.K == 0:
            beta = 0.0
        elif math.inf == p.K:
            beta = 1.0
        else:
            beta = math.sqrt(p.K / (3.0 * node.visits + p.K))
        if n == 0:
            return p.fpu if entry is None else float(entry[1] / entry[0]) + p.fpu_amaf
        mean = node.sums[role][i] / n
        exploration = p.C * math.sqrt(log_visits / n)
        if entry is None:
            return mean + exploration
        return (1.0 - beta) * mean + beta * float(entry[1] / entry[0]) + exploration

    # ------------------------------------------------------------ playout

    def run_playout(self, state: State) -> None:
        if self.playout == "uniform" and not self.generic_playout:
            # The game's own, which `check_game` compares with the contract's.
            limit, decisive = self.max_depth - len(self.history), self.decisive and self.game.decisive
            moves, self.rng.state = state.recorded_playout(self.rng.state, limit, decisive)
            self.history += moves
            return
        while len(self.history) < self.max_depth and not state.terminal:
            joint: list[int | None] = []
            for role in range(self.game.n_roles):
                moves = moves_of(state, role, self.decisive)
                if not moves:
                    joint.append(None)
                elif len(moves) == 1 and not self.generic_playout:
                    joint.append(moves[0])
                else:
                    self.at_state(role)
                    self.p = self.of_role[role]
                    joint.append(moves[self.playout_choice(state, role, moves)])
            state.play(joint)
            self.history.append(tuple(joint))

    def playout_choice(self, state: State, role: int, moves: list[int]) -> int:
        if self.playout == "uniform":
            return self.rng.below(len(moves))
        if self.playout == "ppa":
            return self.ppa_choice(state, role, moves)
        if self.playout == "gibbs":
            means = [self.mast_value(role, m) for m in moves]
            powers = [portable_exp((v - max(means)) / self.p.tau) for v in means]
            rest = self.rng.double() * sum(powers)
            for i, power in enumerate(powers):
                rest -= power
                if rest < 0:
                    return i
            return len(moves) - 1
        if self.rng.double() < self.p.epsilon:
            return self.rng.below(len(moves))
        value_of = self.mast_value if self.playout == "mast" else self.nst_value
        values = [value_of(role, m) for m in moves]
        good = [i for i, value in enumerate(values) if value == max(values)]
        return good[0] if len(good) == 1 else good[self.rng.below(len(good))]

    def mast_value(self, role: int, move: int) -> float:
        entry = self.actions.get((role, move))
        return entry[2] if entry else 1.0

    def grams(self, step: int, role: int, move: int) -> list[tuple[int, ...]]:
        """The N-grams that end with this move: (role, move), then the moves of the roles before, step by step."""
        grams = [(role, move)]
        before = role
        for n in range(1, int(self.p.n)):
            before = (before - 1) % self.game.n_roles
            if step - n < 0 or self.history[step - n][before] is None:
                break
            grams.append((*grams[-1], self.history[step - n][before]))
        return grams

    def nst_value(self, role: int, move: int) -> float:
        averages = []
        for gram in self.grams(len(self.history), role, move):
            entry = self.ngrams.get(gram)
            if entry is None or (len(gram) > 2 and entry[0] < self.p.nmin):
                break
            averages.append(entry[1] / entry[0])
        total = 0.0
        for average in averages:
            total += average
        return total / len(averages) if averages else 1.0

    def codes(self, state: State, role: int, moves: list[int]) -> list[int]:
        code_of = dict(zip(state.legal(role), state.codes(role), strict=True))
        return [code_of[move] for move in moves] if self.features else list(moves)

    def ppa_choice(self, state: State, role: int, moves: list[int]) -> int:
        codes = self.codes(state, role, moves)
        powers = [portable_exp(self.p.kappa * self.weights[role, code]) for code in codes]
        rest = self.rng.double() * math.fsum(powers)
        chosen = len(moves) - 1
        for i, power in enumerate(powers):
            if rest < power:
                chosen = i
                break
            rest -= power
        self.choices.append((role, codes, chosen))
        return chosen

    # ------------------------------------------------------------ learning

    def learn(self, root, path, leaf, tree_length, goals) -> None:  # type: ignore[no-untyped-def]
        for node, chosen in path:
            node.visits += 1
            for role, i in enumerate(chosen):
                if i is not None:
                    node.tries[role][i] += 1
                    node.sums[role][i] += goals[role]
                    node.squares[role][i] += goals[role] ** 2
        tails = [(node, step) for step, (node, _) in enumerate(path)]
        if leaf is not None:
            tails.append((leaf, tree_length))
        for node, first in tails:
            for step in range(first, len(self.history)):
                for role, move in enumerate(self.history[step]):
                    if move is not None:
                        entry = node.amaf.setdefault((role, move), [np.float32(0), np.float32(0)])
                        entry[0] += np.float32(1)
                        entry[1] += np.float32(goals[role])
        for step, joint in enumerate(self.history):
            for role, move in enumerate(joint):
                if move is None:
                    continue
                self.enter(self.actions, (role, move), goals[role])
                for gram in self.grams(step, role, move):
                    self.enter(self.ngrams, gram, goals[role])
        if self.playout == "ppa":
            self.adapt(root, tree_length, goals)

    @staticmethod
    def enter(table, key, goal) -> None:  # type: ignore[no-untyped-def]
        entry = table.setdefault(key, [0.0, 0.0, 0.0])     # visits, sum, mean
        entry[0] += 1.0
        entry[1] += goal
        entry[2] = entry[1] / entry[0]

    def adapt(self, root: State, tree_length: int, goals: list[float]) -> None:
        """Algorithm 2 of Cazenave and Diemert 2017, over the whole simulation, with the old policy for all probabilities."""
        winners = [role for role, goal in enumerate(goals) if goal == max(goals)]
        if len(winners) != 1 or (len(goals) == 1 and goals[0] <= 0.5):
            return
        winner = winners[0]
        old = dict(self.weights)
        state = root.clone()
        for step, joint in enumerate(self.history):
            moves = moves_of(state, winner, self.decisive)
            if joint[winner] is not None and len(moves) > 1 and (self.adapt_tree or step >= tree_length):
                codes = self.codes(state, winner, moves)
                total = math.fsum(portable_exp(old.get((winner, code), 0.0)) for code in codes)
                for code in codes:
                    self.weights[winner, code] -= self.p.alpha * portable_exp(old.get((winner, code), 0.0)) / total
                self.weights[winner, codes[moves.index(joint[winner])]] += self.p.alpha
            state.play(joint)
