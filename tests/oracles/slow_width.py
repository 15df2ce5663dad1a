"""Width searches for video games in plain Python: sets of tuples, a list as queue, a sort for every pop."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from oracles.slow_experience import SlowExperience, held
from oracles.splitmix import SplitMix
from paidia.core.arcade import action_id
from paidia.core.seeds import spawn
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState
from paidia.games.vgdl.views.observation import StateObservation
from paidia.search.planners.foraging.interest import Interest

Atom = tuple[str | int | None, ...]
HUGE = 10_000_000
NOT_NOVEL = 4


def facing(orientation: tuple[float, float]) -> str | None:
    x, y = orientation
    if x == 0 and y == 0:
        return None
    if abs(x) >= abs(y):
        return "RIGHT" if x > 0 else "LEFT"
    return "DOWN" if y > 0 else "UP"


def atoms_of(state: VgdlState) -> set[Atom]:
    """By the lists of the competition's observation and the avatar's own record."""
    game = state.game
    atoms: set[Atom] = set()

    def cell(position: tuple[float, float]) -> tuple[int, int] | None:
        x, y = int(position[0] / game.block), int(position[1] / game.block)
        return (x, y) if 0 <= x < game.width and 0 <= y < game.height else None

    avatar = state.avatar()
    if avatar is not None:
        place = cell(avatar[0])
        if place is not None:
            atoms.add(("avatar", *place, facing(avatar[1]), game.types[avatar[3]]))
    seen = StateObservation(state)
    for lists in (
        seen.get_npc_positions(), seen.get_immovable_positions(), seen.get_movable_positions(),
        seen.get_resources_positions(), seen.get_portals_positions(), seen.get_from_avatar_sprites_positions(),
    ):
        for one in itertools.chain.from_iterable(lists or []):
            place = cell(one.position)
            if place is not None:
                atoms.add(("at", *place, game.types[one.itype]))
    return atoms


class SlowNovelty:
    """Levels: 1 single atoms, 2 and pairs with the avatar's, 3 and all pairs."""

    def __init__(self, level: int) -> None:
        self.level = level
        self.known: set[frozenset[Atom]] = set()

    def tuples(self, atoms: set[Atom], size: int) -> set[frozenset[Atom]]:
        if size == 2 and self.level == 2:
            front = [atom for atom in atoms if atom[0] == "avatar"]
            return {frozenset(pair) for pair in itertools.product(front, atoms - set(front))}
        return {frozenset(some) for some in itertools.combinations(atoms, size)}

    def measure(self, atoms: set[Atom]) -> int:
        if not self.tuples(atoms, 1) <= self.known:
            return 1
        if self.level > 1 and not self.tuples(atoms, 2) <= self.known:
            return self.level
        return NOT_NOVEL

    def memorize(self, atoms: set[Atom]) -> None:
        self.known |= self.tuples(atoms, 1)
        if self.level > 1:
            self.known |= self.tuples(atoms, 2)


@dataclass
class Node:
    number: int
    parent: int
    action: int
    depth: int
    first: int
    novelty: int
    value: float
    state: VgdlState
    expanded: bool = False


def value_of(state: VgdlState) -> float:
    return state.score + {1: HUGE, 0: -HUGE, -1: 0}[state.winner]


class SlowWidth:
    """`kind` is "bfs", "iw" (with a level) or "2bfs"."""

    def __init__(self, kind: str, *, level: int = 1, samples: int = 10, seed: int) -> None:
        self.kind, self.level, self.samples = kind, level, samples
        self.rng = SplitMix(spawn(seed, 0))

    def branch(self, state: VgdlState) -> VgdlState:
        copy = state.copy()
        copy.seed(self.rng.next())
        return copy

    def choose(self, root: VgdlState, limit: int) -> int:
        self.done, self.limit = 0, limit
        self.nodes: list[Node] = []
        self.best: list[int] = []       # root actions of equally good situations
        self.root_value, self.best_value, self.best_depth = value_of(root), -math.inf, 0
        self.equal, self.chosen = 0, -1
        actions = [action_id(name) for name in root.actions]
        if not actions:
            return 0
        safe = self.safe_actions(root, actions)
        self.novelty = SlowNovelty(self.level)
        self.novelty.memorize(atoms_of(root))
        self.keys = {root.key}
        open_nodes: list[Node] = []
        by_reward = False
        going = all(self.generate(root, -1, action, first, 1, open_nodes) for first, action in enumerate(actions)
                    if first in safe)
        while going and open_nodes:
            if self.kind == "2bfs":
                if by_reward:
                    open_nodes.sort(key=lambda node: (-node.value, node.novelty, node.number))
                else:
                    open_nodes.sort(key=lambda node: (node.novelty, -node.value, node.number))
                by_reward = not by_reward
            node = open_nodes.pop(0)
            going = all(
                self.generate(node.state, node.number, action_id(name), node.first, node.depth + 1, open_nodes)
                for name in node.state.actions
            )
        if not self.equal:
            for count, first in enumerate(sorted(safe), start=1):
                if self.rng.below(count) == 0:
                    self.chosen = first
        return actions[self.chosen]

    def safe_actions(self, root: VgdlState, actions: list[int]) -> set[int]:
        losses = [0] * len(actions)
        for _, i in itertools.product(range(self.samples), range(len(actions))):
            if 2 * self.done >= self.limit:
                break
            self.done += 1
            state = self.branch(root)
            state.advance(actions[i])
            losses[i] += state.winner == 0
        return {i for i, count in enumerate(losses) if count == min(losses)}

    def generate(self, origin: VgdlState, parent: int, action: int, first: int, depth: int, out: list[Node]) -> bool:
        state = self.branch(origin)
        if self.done == self.limit:
            return False
        self.done += 1
        state.advance(action)
        value, novelty = value_of(state), 0
        if self.kind == "bfs":
            kept = state.key not in self.keys
            self.keys.add(state.key)
        else:
            atoms = atoms_of(state)
            novelty = self.novelty.measure(atoms)
            kept = self.kind == "2bfs" or novelty != NOT_NOVEL
            if kept:
                self.novelty.memorize(atoms)
        value, kept = self.admit(origin, state, value, kept)
        self.consider(value, depth, first, kept)
        if kept and not state.terminal:
            node = Node(len(self.nodes), parent, action, depth, first, novelty, value, state)
            self.nodes.append(node)
            out.append(node)
        return True

    def admit(self, origin: VgdlState, state: VgdlState, value: float, kept: bool) -> tuple[float, bool]:
        """What a situation is worth, and whether it is searched further."""
        return value, kept

    def consider(self, value: float, depth: int, first: int, kept: bool) -> None:
        gain = value > self.root_value
        if not (gain or kept) or value < self.best_value:
            return
        nearer = gain and depth < self.best_depth
        if value > self.best_value or nearer:
            self.best_value, self.best_depth, self.equal, self.chosen = value, depth, 1, first
        elif not gain or depth == self.best_depth:
            self.equal += 1
            if self.rng.below(self.equal) == 0:
                self.chosen = first

    def kept(self) -> list[tuple[int, int, int, int, float]]:
        return [(node.parent, node.action, node.depth, node.novelty, node.value) for node in self.nodes]


class SlowYbcriber(SlowWidth):
    """IW(1) with danger prediction and learned heuristics; the map itself is `Interest`, which has an oracle of its own."""

    def __init__(self, game: VgdlGame, *, pull: float, resources: float, danger: float, seed: int) -> None:
        super().__init__("iw", level=1, seed=seed)
        self.pull, self.resources, self.danger = pull, resources, danger
        self.interest, self.experience = Interest(game), SlowExperience()

    def choose(self, root: VgdlState, limit: int) -> int:
        self.interest.map_of(root)
        self.experience.fade()
        self.home, self.held = self.interest.value_of(root), held(root)
        return super().choose(root, limit)

    def admit(self, origin: VgdlState, state: VgdlState, value: float, kept: bool) -> tuple[float, bool]:
        self.interest.observe(origin, state)
        self.experience.learn(origin, state)
        if not kept or state.terminal:
            return value, kept
        if value == self.root_value:
            value += self.pull * (self.interest.value_of(state) - self.home)
            value += self.resources * max(0, min(1, held(state) - self.held))
        return value, self.experience.danger(state) <= self.danger
