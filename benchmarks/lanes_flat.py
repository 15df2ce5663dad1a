"""Flat Monte-Carlo and leaf-parallel search with lanes against `uct`, at equal time: do many playouts at once help a search?

    python benchmarks/lanes_flat.py GAME flat|leaf SECONDS MATCHES [FIRST]

`flat` gives blocks of playouts to the moves of the root by UCB, `leaf` grows a tree whose leaves are worth the mean of a block.
GAME is a rule sheet of two roles with a net.
"""

from __future__ import annotations

import math
import random
import sys
import time
from typing import Any

import paidia
from paidia.core.budget import Budget
from paidia.core.player import Decision, Player


class Node:
    """What is known of the moves in a position."""

    def __init__(self, state: Any) -> None:
        self.visits = 0
        self.moves = [] if state.terminal or state.mover is None else state.legal(state.mover)
        self.tried: dict[int, list[float]] = {}

    def best(self, exploration: float) -> int:
        log = math.log(self.visits + 1)

        def value(move: int) -> float:
            tried = self.tried.get(move)
            return math.inf if tried is None else tried[1] / tried[0] + exploration * math.sqrt(log / tried[0])

        return max(self.moves, key=value)

    def count(self, move: int, goal: float) -> None:
        self.visits += 1
        tried = self.tried.setdefault(move, [0, 0.0])
        tried[0] += 1
        tried[1] += goal


class LanesPlayer(Player):
    """Thinks for so many seconds, in blocks of playouts."""

    name = "lanes"

    def __init__(self, game: Any, kind: str, seconds: float) -> None:
        self.leaves, self.flat, self.seconds = game.leaves(1), kind == "flat", seconds
        self.blocks = self.choices = 0

    def begin(self, game: Any, role: int, *, state: Any, seed: int, budget: Budget | None) -> None:
        self.role = role

    def act(self, state: Any, *, step: int, budget: Budget | None) -> Decision:
        legal = state.legal(self.role)
        if state.mover != self.role or len(legal) < 2:
            return Decision(move=legal[0] if legal else None)
        end = time.perf_counter() + self.seconds
        nodes = {state.key: Node(state)}
        while time.perf_counter() < end:
            self.simulate(state.clone(), nodes)
            self.blocks += 1
        self.choices += 1
        tried = nodes[state.key].tried
        at = (lambda move: tried[move][1] / tried[move][0]) if self.flat else (lambda move: tried[move][0])
        return Decision(move=max(tried, key=at) if tried else legal[0])

    def value(self, state: Any) -> Any:
        """Mean goals of all roles over a block of random games."""
        return self.leaves.means([state], seed=random.getrandbits(60))[0]

    def simulate(self, state: Any, nodes: dict[int, Node]) -> None:
        path = []
        while not state.terminal:
            if state.mover is None:  # nobody has a choice
                state.play([(state.legal(role) or [None])[0] for role in range(state.game.n_roles)])
                continue
            fresh = state.key not in nodes
            if fresh and (not self.flat or path):
                nodes[state.key] = Node(state)
                break
            if self.flat and path:
                break
            node = nodes[state.key]
            path.append((node, node.best(0.1 if self.flat else 0.25), state.mover))
            state.play([path[-1][1] if role == path[-1][2] else None for role in range(state.game.n_roles)])
        goals = state.goals if state.terminal else self.value(state)
        for node, move, role in path:
            node.count(move, float(goals[role]))


def main() -> None:
    name, kind, seconds, matches = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
    first = int(sys.argv[5]) if len(sys.argv) > 5 else 0
    game = paidia.load(name)
    random.seed(first)
    mine = LanesPlayer(game, kind, seconds)
    points = 0.0
    for match in range(first, first + matches):
        seats = [mine, paidia.agent("uct")] if match % 2 == 0 else [paidia.agent("uct"), mine]
        points += paidia.play(game, seats, time=seconds, seed=match).record.goals[match % 2]
    blocks = mine.blocks / max(1, mine.choices)
    print(f"{name} {kind} {seconds:g} s: {100 * points / matches:.1f} % of {matches} matches against uct; "
          f"{blocks:.0f} blocks of 1,024 playouts a move", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
