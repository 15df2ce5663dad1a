"""The search of `cadia-style` written to be read: relative goals, discount, RAVE by first occurrence, proofs."""

from __future__ import annotations

import math

import numpy as np

from oracles.slow_mcts import Node, SlowMcts
from paidia.core.game import Game, State
from paidia.core.machine.maths import portable_exp, portable_log
from paidia.search.frame.parameters import Parameters

ZERO, ONE = np.float32(0), np.float32(1)


class SlowCadia(SlowMcts):
    def __init__(
        self, game: Game, parameters: Parameters, *, seed: int, discount: float = 0.999, relative: bool = True,
        solver: bool = True, max_depth: int = 500,
    ) -> None:
        super().__init__(game, selection="cadia", playout="gibbs", parameters=parameters, seed=seed, max_depth=max_depth)
        self.discount = 1.0 if game.n_roles == 1 else discount
        self.zero_sum = relative and game.n_roles == 2
        self.solver = solver
        self.bounds: dict[int, list[tuple[np.float32, np.float32]]] = {}      # by the id of a node, per role
        self.children: dict[tuple[int, int], Node] = {}                       # (id of a node, place of a move)

    def bounds_of(self, node: Node | None) -> list[tuple[np.float32, np.float32]]:
        unknown = [(ZERO, ONE)] * self.game.n_roles
        return unknown if node is None else self.bounds.setdefault(id(node), unknown)

    def simulate(self, root: State) -> None:
        state = root.clone()
        self.history: list[tuple[int | None, ...]] = []
        path: list[tuple[Node, list[int | None]]] = []
        node = self.nodes.get(root.key)
        new = node is None
        if new:
            node = self.nodes[root.key] = Node(state)
        node.stamp = self.step
        proven = None
        while not new:
            if node.terminal or len(self.history) >= self.max_depth:
                break
            bounds = self.bounds_of(node)
            if self.solver and path and all(low == high for low, high in bounds):
                proven = [float(low) for low, _ in bounds]
                break
            if node.moves is None:
                node.expand(state)
            chosen = [(self.choose(node, role) if len(moves) > 1 else 0) if moves else None
                      for role, moves in enumerate(node.moves)]
            joint = [None if i is None else node.moves[role][i] for role, i in enumerate(chosen)]
            path.append((node, chosen))
            state.play(joint)
            self.history.append(tuple(joint))
            child = self.nodes.get(state.key)
            if child is None:
                new = True
                child = self.nodes[state.key] = Node(state)
            if node.mover is not None:
                self.children[id(node), chosen[node.mover]] = child
            node = child
            node.stamp = self.step
        tree_length = len(self.history)
        if proven is None:
            if not node.terminal:
                self.run_playout(state)
            goals = state.goals
            if self.zero_sum:
                goals = [(goals[0] - goals[1] + 1.0) / 2.0, (goals[1] - goals[0] + 1.0) / 2.0]
        else:
            goals = proven
        self.enter_results(path, goals)
        if self.solver:
            self.prove(path, node, goals)
        self.enter_tables(path, node if new and not node.terminal else None, tree_length, goals)

    # ------------------------------------------------------------ selection

    def open(self, node: Node, role: int) -> list[int]:
        every = list(range(len(node.moves[role])))
        if not self.solver or node.mover != role:
            return every
        low = self.bounds_of(node)[role][0]
        found = []
        for i in every:
            below_low, below_high = self.bounds_of(self.children.get((id(node), i)))[role]
            if below_high > low or (low > 0 and below_low == low):
                found.append(i)
        return found or every

    def choose(self, node: Node, role: int) -> int:
        p, moves, tries, sums = self.p, node.moves[role], node.tries[role], node.sums[role]
        places = self.open(node, role)
        unexplored = [i for i in places if tries[i] == 0]
        if unexplored:
            means = [self.mast_value(role, moves[i]) for i in unexplored]
            powers = [portable_exp((v - max(means)) / p.tau) for v in means]
            rest = self.rng.double() * sum(powers)
            for i, power in zip(unexplored, powers, strict=True):
                rest -= power
                if rest < 0:
                    return i
            return unexplored[-1]
        beta = 0.0 if p.K == 0 else 1.0 if math.inf == p.K else math.sqrt(p.K / (3.0 * node.visits + p.K))
        if beta < 0.01:
            beta = 0.0
        entries = [node.amaf.get((role, move)) for move in moves]
        total = sum(float(entry[0]) for entry in entries if entry)
        values = {}
        for i in places:
            value = sums[i] / tries[i] + p.C * math.sqrt(portable_log(float(max(1, node.visits))) / tries[i])
            if beta > 0 and entries[i]:
                m, s = entries[i]
                rave = float(s / m) + p.C * math.sqrt(portable_log(max(1.0, total)) / float(m))
                value = (1.0 - beta) * value + beta * rave
            values[i] = value
        good = [i for i in places if values[i] >= max(values.values()) - p.VO]
        return good[0] if len(good) == 1 else good[self.rng.below(len(good))]

    # ------------------------------------------------------------ learning

    def enter_results(self, path, goals) -> None:  # type: ignore[no-untyped-def]
        shares = []
        share = 1.0
        for _ in range(len(self.history)):
            share *= self.discount
            shares.append(share)
        shares.reverse()
        for (node, chosen), share in zip(path, shares, strict=False):
            node.visits += 1
            for role, i in enumerate(chosen):
                if i is not None:
                    node.tries[role][i] += 1
                    node.sums[role][i] += share * goals[role]

    def enter_tables(self, path, leaf, tree_length, goals) -> None:  # type: ignore[no-untyped-def]
        tails = [(node, step) for step, (node, _) in enumerate(path)]
        if leaf is not None:
            tails.append((leaf, tree_length))
        for node, first in tails:
            played = {(role, move) for joint in self.history[first:] for role, move in enumerate(joint) if move is not None}
            for role, move in played:
                entry = node.amaf.setdefault((role, move), [ZERO, ZERO])
                entry[0] += ONE
                entry[1] += np.float32(goals[role])
        for joint in self.history:
            for role, move in enumerate(joint):
                if move is not None:
                    self.enter(self.actions, (role, move), goals[role])

    def prove(self, path, leaf, goals) -> None:  # type: ignore[no-untyped-def]
        if leaf.terminal:
            self.bounds[id(leaf)] = [(np.float32(goal), np.float32(goal)) for goal in goals]
        below = leaf
        for node, _ in reversed(path):
            if all(pair == (ZERO, ONE) for pair in self.bounds_of(below)):
                return
            if node.mover is not None:
                self.rebound(node)
            below = node

    def rebound(self, node: Node) -> None:
        mover = node.mover
        old = self.bounds_of(node)
        below = [self.bounds_of(self.children.get((id(node), i))) for i in range(len(node.moves[mover]))]
        low = max(old[mover][0], *(b[mover][0] for b in below))
        high = min(old[mover][1], max(b[mover][1] for b in below))
        new = list(old)
        new[mover] = low, high
        for role in range(self.game.n_roles):
            if role == mover:
                continue
            if self.zero_sum:
                least, most = ONE - high, ONE - low
            elif any((id(node), i) not in self.children for i in range(len(below))):
                least, most = ZERO, ONE
            else:
                liked = [b[role] for b in below if b[mover][1] > low or b[mover][0] == low]
                least, most = min((b[0] for b in liked), default=ONE), max((b[1] for b in liked), default=ZERO)
            new[role] = max(old[role][0], least), min(old[role][1], most)
        self.bounds[id(node)] = new
