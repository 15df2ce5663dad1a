"""OLETS and rolling-horizon evolution in plain Python."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from oracles.slow_width import value_of
from oracles.splitmix import SplitMix
from paidia.core.arcade import action_id
from paidia.core.machine.maths import portable_log
from paidia.core.seeds import spawn
from paidia.games.vgdl.engine.game import VgdlState

MAX_LENGTH = 100


def branch(rng: SplitMix, state: VgdlState) -> VgdlState:
    copy = state.copy()
    copy.seed(rng.next())
    return copy


def pick(rng: SplitMix, candidates: list[int]) -> int:
    """One of several, by a draw for each."""
    chosen = candidates[0]
    for count, candidate in enumerate(candidates, start=1):
        if rng.below(count) == 0:
            chosen = candidate
    return chosen


@dataclass
class OletsNode:
    parent: int
    children: dict[int, int] = field(default_factory=dict)
    n_s: int = 0
    n_e: int = 0
    r_e: float = 0.0
    r_m: float = 0.0


class SlowOlets:
    def __init__(self, *, seed: int, exploration: float, taboo: float, memory: int, terminal: float) -> None:
        self.rng = SplitMix(spawn(seed, 0))
        self.exploration, self.taboo, self.memory, self.terminal = exploration, taboo, memory, terminal
        self.trail: list[tuple[int, int]] = []

    def place(self, state: VgdlState) -> tuple[int, int] | None:
        avatar = state.avatar()
        return None if avatar is None else avatar[0]

    def choose(self, root: VgdlState, simulations: int) -> int:
        actions = [action_id(name) for name in root.actions]
        if not actions:
            return 0
        here = self.place(root)
        assert here is not None
        self.trail.append(here)
        self.nodes = [OletsNode(-1)]
        self.advances = 0
        for _ in range(simulations):
            self.simulate(root)
        visits = {action: self.nodes[child].n_s for action, child in self.nodes[0].children.items()}
        return pick_rising(self.rng, [(visits[action], action) for action in actions if action in visits])

    def simulate(self, root: VgdlState) -> None:
        state, node, fresh = branch(self.rng, root), 0, False
        while not fresh and state.actions:
            actions = [action_id(name) for name in state.actions]
            untried = [action for action in actions if action not in self.nodes[node].children]
            if untried:
                action = pick(self.rng, untried)
                self.nodes[node].children[action] = len(self.nodes)
                self.nodes.append(OletsNode(node))
                fresh = True
            else:
                action = self.select(self.nodes[node], actions)
            state.advance(action)
            self.advances += 1
            node = self.nodes[node].children[action]
        score = state.score - root.score + {1: self.terminal, 0: -self.terminal, -1: 0.0}[state.winner]
        if fresh and self.place(state) in self.trail[max(0, len(self.trail) - self.memory):]:
            score -= self.taboo
        self.nodes[node].n_e += 1
        self.nodes[node].r_e += score
        while node >= 0:
            here = self.nodes[node]
            here.n_s += 1
            below = [self.nodes[child].r_m for child in here.children.values()]
            here.r_m = here.r_e / here.n_s + ((1 - here.n_e / here.n_s) * max(below) if below else 0.0)
            node = here.parent

    def select(self, node: OletsNode, actions: list[int]) -> int:
        def value(action: int) -> float:
            child = self.nodes[node.children[action]]
            return child.r_m + self.exploration * math.sqrt(portable_log(node.n_s) / child.n_s)

        return pick_rising(self.rng, [(value(action), action) for action in actions])

    def tree(self) -> list[tuple[int, int, int, float, float]]:
        return [(node.parent, node.n_s, node.n_e, node.r_e, node.r_m) for node in self.nodes]


def pick_rising(rng: SplitMix, valued: list[tuple[float, int]]) -> int:
    """The best of several in one pass; whoever equals the best so far draws for its place."""
    best, equal, chosen = -math.inf, 0, -1
    for value, candidate in valued:
        if value > best:
            best, equal, chosen = value, 1, candidate
        elif value == best:
            equal += 1
            if rng.below(equal) == 0:
                chosen = candidate
    return chosen


class SlowRhea:
    def __init__(
        self, *, seed: int, population: int, length: int, elites: int, tournament: int, mutations: float, crossover: str,
        shift_buffer: bool,
    ) -> None:
        self.rng = SplitMix(spawn(seed, 0))
        self.size, self.length, self.elites, self.tournament = population, length, elites, tournament
        self.mutations, self.crossover, self.shift = mutations, crossover, shift_buffer
        self.people: list[tuple[float, list[int]]] = []

    def gene(self) -> int:
        return self.actions[self.rng.below(len(self.actions))]

    def settled(self, genes: list[int] | None) -> list[int]:
        if genes is None or not self.shift:
            return [self.gene() for _ in range(MAX_LENGTH)]
        moved = []
        for gene in genes[1:]:
            moved.append(gene if gene in self.actions else self.gene())
        moved.append(self.gene())
        moved[self.length - 1] = self.gene()
        return moved

    def choose(self, root: VgdlState, simulations: int) -> int:
        self.actions = [action_id(name) for name in root.actions]
        if not self.actions:
            self.people = []
            return 0
        self.root, self.left = root, simulations
        self.best = (-math.inf, [self.gene()])
        old = [genes for _, genes in self.people] or [None] * self.size
        newcomers = [self.settled(genes) for genes in old]
        self.people = [(-math.inf, genes) for genes in newcomers]
        for i, genes in enumerate(newcomers):
            fitness = self.evaluate(genes)
            if fitness is None:
                return self.best[1][0]
            self.people[i] = (fitness, genes)
        while self.generation():
            pass
        return self.best[1][0]

    def evaluate(self, genes: list[int]) -> float | None:
        if not self.left:
            return None
        self.left -= 1
        state = branch(self.rng, self.root)
        for gene in genes[: self.length]:
            state.advance(gene)     # nothing happens after the end
        fitness = value_of(state)
        if fitness > self.best[0]:
            self.best = (fitness, genes)
        return fitness

    def generation(self) -> bool:
        if self.size == 1:
            parent_fitness, parent = self.people[0]
            child = self.mutated(list(parent))
            fitness = self.evaluate(child)
            if fitness is None:
                return False
            if fitness >= parent_fitness:
                self.people[0] = (fitness, child)
            return True
        self.people.sort(key=lambda one: -one[0])       # stable
        children = []
        complete = True
        for _ in range(self.elites, self.size):
            child = self.mutated(self.crossed())
            fitness = self.evaluate(child)
            if fitness is None:
                complete = False
                break
            children.append((fitness, child))
        self.people[self.elites:self.elites + len(children)] = children
        return complete

    def parent(self) -> list[int]:
        return self.people[min(self.rng.below(self.size) for _ in range(self.tournament))][1]

    def crossed(self) -> list[int]:
        child = list(self.parent())
        if self.crossover == "none":
            return child
        other = self.parent()
        if self.crossover == "uniform":
            for i in range(self.length):
                if self.rng.below(2):
                    child[i] = other[i]
        else:
            cut = self.rng.below(self.length)
            child[cut:self.length] = other[cut:self.length]
        return child

    def mutated(self, genes: list[int]) -> list[int]:
        count = int(self.mutations)
        if self.rng.double() < self.mutations - count:
            count += 1
        for _ in range(count):
            place = self.rng.below(self.length)
            genes[place] = self.gene()
        return genes

    def population(self) -> list[tuple[float, list[int]]]:
        return [(fitness, genes[: self.length]) for fitness, genes in self.people]
