"""The playouts that the papers name and do not build, written to be read: last good reply, Pool RAVE, PAST and FAST.

Each follows the description in its own paper (see the kernels' docstrings for those), with dictionaries and lists.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from oracles.slow_mcts import Node, SlowMcts
from paidia.core.game import State
from paidia.core.machine.maths import portable_exp


class WithRoot(SlowMcts):
    """Remembers where the present simulation began."""

    def simulate(self, root: State) -> None:
        self.root = root
        super().simulate(root)

    def states(self) -> list[State]:
        """All states of the present simulation, from the root on."""
        state = self.root.clone()
        found = [state.clone()]
        for joint in self.history:
            state.play(list(joint))
            found.append(state.clone())
        return found

    def gibbs(self, values: list[float]) -> int:
        powers = [portable_exp((value - max(values)) / self.p.tau) for value in values]
        total = 0.0
        for power in powers:
            total += power
        rest = self.rng.double() * total
        for i, power in enumerate(powers):
            rest -= power
            if rest < 0:
                return i
        return len(values) - 1


class SlowLastGoodReply(WithRoot):
    def __init__(self, *args: Any, length: int = 1, forgetting: bool = False, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.length, self.forgetting = length, forgetting
        self.replies: dict[tuple[Any, ...], int] = {}  # (role, the joint moves before) -> the reply

    def playout_choice(self, state: State, role: int, moves: list[int]) -> int:
        for length in range(self.length, 0, -1):
            reply = self.replies.get((role, *self.history[-length:])) if len(self.history) >= length else None
            if reply in moves:
                return moves.index(reply)
        return self.rng.below(len(moves))

    def learn(self, root, path, leaf, tree_length, goals) -> None:  # type: ignore[no-untyped-def]
        super().learn(root, path, leaf, tree_length, goals)
        for step, joint in enumerate(self.history):
            for role, move in enumerate(joint):
                for length in range(1, self.length + 1):
                    if move is None or length > step:
                        continue
                    before = (role, *self.history[step - length : step])
                    if goals[role] > 0.5:
                        self.replies[before] = move
                    elif goals[role] < 0.5 and self.forgetting and self.replies.get(before) == move:
                        del self.replies[before]


class SlowPoolRave(WithRoot):
    def __init__(self, *args: Any, size: int = 10, share: float = 0.5, least: float = 50.0, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.size, self.share, self.least = size, share, least
        self.pools: list[list[int]] = []

    def run_playout(self, state: State) -> None:
        # The nodes in which a move was chosen: the last of them with enough visits lends its table.
        chosen: list[Node] = [self.nodes[each.key] for each in self.states()[:-1]]
        lender = next((node for node in reversed(chosen) if node.visits >= self.least), None)
        self.pools = [[] for _ in range(self.game.n_roles)]
        if lender is not None:
            for role in range(self.game.n_roles):
                own = [(-float(total / visits), move) for (who, move), (visits, total) in lender.amaf.items() if who == role]
                self.pools[role] = [move for _, move in sorted(own)[: self.size]]
        super().run_playout(state)
        self.pools = []

    def playout_choice(self, state: State, role: int, moves: list[int]) -> int:
        pool = self.pools[role] if self.pools else []
        if pool and self.rng.double() < self.share:
            move = pool[self.rng.below(len(pool))]
            if move in moves:
                return moves.index(move)
        return self.rng.below(len(moves))


class SlowPast(WithRoot):
    def __init__(self, *args: Any, least: float = 3.0, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.least = least
        self.pairs: dict[tuple[int, int, int], list[float]] = defaultdict(lambda: [0.0, 0.0])  # (role, fact, move)

    def playout_choice(self, state: State, role: int, moves: list[int]) -> int:
        values = []
        for move in moves:
            entries = [self.pairs[role, fact, move] for fact in state.atoms() if (role, fact, move) in self.pairs]
            means = [total / visits for visits, total in entries if visits >= self.least]
            values.append(max(means) if means else self.mast_value(role, move))
        return self.gibbs(values)

    def learn(self, root, path, leaf, tree_length, goals) -> None:  # type: ignore[no-untyped-def]
        super().learn(root, path, leaf, tree_length, goals)
        for state, joint in zip(self.states(), self.history, strict=False):
            for role, move in enumerate(joint):
                if move is not None:
                    for fact in state.atoms():
                        self.pairs[role, fact, move][0] += 1
                        self.pairs[role, fact, move][1] += goals[role]


class SlowFast(WithRoot):
    MOST = 16

    def __init__(self, *args: Any, rate: float = 0.1, trace: float = 0.9, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.rate, self.trace = rate, trace
        self.weights_of: dict[tuple[int, int], float] = defaultdict(float)  # (role, fact)
        self.added: dict[tuple[int, int], list[int]] = defaultdict(list)  # (role, move) -> facts
        self.ended: dict[tuple[int, int], list[int]] = defaultdict(list)

    def value(self, role: int, facts: list[int]) -> float:
        total = 0.0
        for fact in facts:
            total += self.weights_of[role, fact]
        return total

    def playout_choice(self, state: State, role: int, moves: list[int]) -> int:
        here = set(state.atoms())
        values = []
        for move in moves:
            value = 0.0
            for fact in self.added[role, move]:
                if fact not in here:
                    value += self.weights_of[role, fact]
            for fact in self.ended[role, move]:
                if fact in here:
                    value -= self.weights_of[role, fact]
            values.append(value)
        return self.gibbs(values)

    def learn(self, root, path, leaf, tree_length, goals) -> None:  # type: ignore[no-untyped-def]
        super().learn(root, path, leaf, tree_length, goals)
        facts = [state.atoms() for state in self.states()]
        for step, joint in enumerate(self.history):
            for role, move in enumerate(joint):
                if move is not None:
                    self.remember(self.added[role, move], [f for f in facts[step + 1] if f not in facts[step]])
                    self.remember(self.ended[role, move], [f for f in facts[step] if f not in facts[step + 1]])
        for role, goal in enumerate(goals):
            old = [self.value(role, own) for own in facts]
            returned, changes = goal - 0.5, []
            for t in range(len(self.history) - 1, -1, -1):
                if t < len(self.history) - 1:
                    returned = (1 - self.trace) * old[t + 1] + self.trace * returned
                if facts[t]:
                    changes.append((facts[t], self.rate / len(facts[t]) * (returned - old[t])))
            for own, change in changes:
                for fact in own:
                    self.weights_of[role, fact] += change

    def remember(self, known: list[int], facts: list[int]) -> None:
        for fact in facts:
            if fact not in known and len(known) < self.MOST:
                known.append(fact)
