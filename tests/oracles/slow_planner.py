"""The search of the planner and the map of the forager in plain Python."""

from __future__ import annotations

import heapq
from collections import defaultdict
from itertools import pairwise

from oracles.slow_width import value_of
from paidia.core.arcade import action_id
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState
from paidia.search.planners.widths.atoms import Atoms

Kept = tuple[int, int, int, int, float]


def settled(state: VgdlState) -> tuple[VgdlState, bool]:
    """The situation from which a world stands still, at most two ticks later; or the same, and no."""
    later, keys, over = state.copy(), [state.key], False
    for _ in range(30):
        later.advance("NIL")
        keys.append(later.key)
        over = over or later.terminal
    for rest in range(3):
        if len(set(keys[rest:])) == 1 and not over:
            later = state.copy()
            for _ in range(rest):
                later.advance("NIL")
            return later, True
    return state, False


def plan_search(root: VgdlState, simulations: int, hold: int) -> tuple[list[Kept], bool]:
    """The situations that the planner keeps from `root` within a budget, and whether one search found a win."""
    atoms = Atoms(root.game)
    root, still = settled(root)
    met: set[object] = set()
    tuples: set[object] = set()
    nodes: list[Kept] = []
    states: list[VgdlState] = []

    def moment(state: VgdlState) -> object:
        return state.key if still else (state.key, state.tick)

    def rank(state: VgdlState) -> int:
        types = range(len(state.game.types))
        stage = (state.score, tuple(state.resource(type) for type in types), *([tuple(state.counts())] if still else []))
        here = atoms.of(state, changing=True)
        front = [atom for atom in here if atom[0] == "avatar"]
        singles = {(stage, atom) for atom in here}
        pairs = {(stage, front[0], atom) for atom in here if atom != front[0]} if front else set()
        found = 1 if not singles <= tuples else 2 if not pairs <= tuples else 4
        tuples.update(singles, pairs)
        return found

    met.add(moment(root))
    rank(root)
    current, here, by_reward = -1, root, False
    waiting: set[int] = set()
    while True:
        for name in [*here.actions, "NIL"]:
            state = here.copy()
            for _ in range(hold):
                if not simulations:
                    return nodes, False
                simulations -= 1
                state.advance(name)
                if state.terminal:
                    break
            new = moment(state) not in met
            met.add(moment(state))
            novelty = rank(state) if new else 0
            if state.winner == 1:
                return nodes, True
            if new and not state.terminal:
                depth = 1 if current < 0 else nodes[current][2] + 1
                waiting.add(len(nodes))
                nodes.append((current, action_id(name), depth, novelty, value_of(state)))
                states.append(state)
        if not waiting:
            return nodes, False

        def order(number: int, by_reward: bool = by_reward) -> tuple[float, ...]:
            novelty, value = nodes[number][3], nodes[number][4]
            return (-value, novelty, number) if by_reward else (novelty, -value, number)

        current = min(waiting, key=order)
        waiting.remove(current)
        here, by_reward = states[current], not by_reward


class SlowInterest:
    least = 0.0

    def __init__(self, game: VgdlGame) -> None:
        self.game = game
        self.n: dict[int, float] = defaultdict(float)
        self.gain: dict[int, float] = defaultdict(float)
        self.best: dict[int, float] = defaultdict(float)
        self.shots: dict[int, float] = defaultdict(float)
        self.shot_gain: dict[int, float] = defaultdict(float)
        self.blocked: dict[int, int] = defaultdict(int)
        self.passed: dict[int, int] = defaultdict(int)
        self.deaths: dict[tuple[int, int], float] = defaultdict(float)
        self.stays: dict[tuple[int, int], float] = defaultdict(float)
        self.largest = 1.0
        self.signature: object = None

    def cell(self, x: int, y: int) -> tuple[int, int] | None:
        column, row = (x + self.game.block // 2) // self.game.block, (y + self.game.block // 2) // self.game.block
        return (column, row) if 0 <= column < self.game.width and 0 <= row < self.game.height else None

    def observe(self, before: VgdlState, after: VgdlState) -> None:
        change = after.score - before.score
        self.largest = max(self.largest, abs(change))
        change += {1: self.largest, 0: -self.largest, -1: 0.0}[after.winner]
        old, new = before.avatar(), after.avatar()
        assert old is not None and new is not None
        place = self.cell(*new[0])
        if place is not None:
            (self.deaths if after.winner == 0 else self.stays)[place] += 1
        for _, _, type, from_avatar, *_ in after.events()[len(before.events()):][-8:]:
            if from_avatar:
                self.shots[type] += 1
                self.shot_gain[type] += change
                continue
            self.n[type] += 1
            self.gain[type] += change
            self.best[type] = max(self.best[type], change)
            (self.passed if new[0] != old[0] else self.blocked)[type] += 1

    def map_of(self, root: VgdlState) -> list[list[float]]:
        avatar = root.avatar()
        assert avatar is not None
        signature = (avatar[3], tuple(root.resource(type) for type in range(len(self.game.types))))
        if signature != self.signature:
            self.signature = signature
            for type in list(self.n):
                if self.gain[type] >= 0:
                    self.n[type] = self.gain[type] = 0
        for table in (self.deaths, self.stays):
            for place in table:
                table[place] *= 0.9
        home = self.cell(*avatar[0])
        places: dict[int, tuple[int, set[tuple[int, int]]]] = {}
        walls = set()
        for category, type, _, x, y in root.seen():
            place = self.cell(x, y)
            if place is None:
                continue
            if self.blocked[type] > 4 * self.passed[type]:
                walls.add(place)
            if place == home:
                self.n[type] += 10
            if category not in (0, 5):
                places.setdefault(type, (category, set()))[1].add(place)
        worth: dict[tuple[int, int], float] = defaultdict(float)
        for type, (category, sources) in places.items():
            curious = {1: 0.5, 2: 0.5, 6: 0.125, 3: 0.05}.get(category, 0.0)
            weight = curious / (1 + self.n[type] / 20) ** 2
            weight += (self.gain[type] + self.best[type]) / (self.n[type] + 1) / self.largest
            if self.shots[type] and self.gain[type] >= 0:
                weight += 0.3 * self.shot_gain[type] / self.shots[type] / self.largest
            weight += self.wish(type)
            if weight > 0.001:
                for place, way in self.ways(sources, walls).items():
                    worth[place] = max(worth[place], weight * 0.9**way)
        cells = [(x, y) for y in range(self.game.height) for x in range(self.game.width)]
        self.worth = {place: worth[place] for place in cells}
        if home is not None:
            near = [
                worth[place] for place in cells
                if place not in walls and abs(place[0] - home[0]) + abs(place[1] - home[1]) <= 6
            ]
            low, high = min(near, default=1e300), max(near, default=-1e300)
            for place in cells:
                share = (worth[place] - low) / (high - low) if high > low else 0.0
                self.worth[place] = min(1.0, max(0.0, share)) * max(self.least, min(1.0, 10 * high))
        return [[self.worth[x, y] for x in range(self.game.width)] for y in range(self.game.height)]

    def wish(self, type: int) -> float:
        return 0.0

    def ways(self, sources: set[tuple[int, int]], walls: set[tuple[int, int]]) -> dict[tuple[int, int], int]:
        """Steps from the nearest source, around walls (sources may stand in one)."""
        ways: dict[tuple[int, int], int] = {}
        heap = [(0, place) for place in sources]
        while heap:
            way, (x, y) = heapq.heappop(heap)
            if (x, y) in ways:
                continue
            ways[x, y] = way
            for place in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if 0 <= place[0] < self.game.width and 0 <= place[1] < self.game.height and place not in walls:
                    heapq.heappush(heap, (way + 1, place))
        return ways

    def value_of(self, state: VgdlState) -> float:
        avatar = state.avatar()
        place = self.cell(*avatar[0]) if avatar is not None else None
        if place is None:
            return 0.0
        return self.worth[place] - self.deaths[place] / (self.deaths[place] + self.stays[place] + 3)


class SlowProvisions(SlowInterest):
    """What restores health and fills stores, and what can vanish."""

    def __init__(self, game: VgdlGame) -> None:
        super().__init__(game)
        self.meetings: dict[int, list[tuple[int, int]]] = defaultdict(list)  # (health, units) that each brought
        self.fewer: set[int] = set()
        self.more: set[int] = set()
        self.counts = [0] * len(game.types)
        self.healths: list[int] = []

    def units(self, state: VgdlState) -> int:
        return sum(state.resource(type) for type in range(len(self.game.types)))

    def observe(self, before: VgdlState, after: VgdlState) -> None:
        super().observe(before, after)
        old, new = before.avatar(), after.avatar()
        assert old is not None and new is not None
        for _, _, type, from_avatar, *_ in after.events()[len(before.events()):][-8:]:
            if after.count(type) < self.counts[type]:
                self.fewer.add(type)
            if not from_avatar:
                health = new[4][0] - old[4][0] if new[3] == old[3] else 0
                self.meetings[type].append((health, self.units(after) - self.units(before)))

    def map_of(self, root: VgdlState) -> list[list[float]]:
        avatar = root.avatar()
        assert avatar is not None
        now = [root.count(type) for type in range(len(self.game.types))]
        if root.tick > 0:
            self.more |= {type for type, count in enumerate(now) if count > self.counts[type]}
        self.counts, self.held = now, self.units(root)
        health, most, _ = avatar[4]
        self.need = max(0.0, 1 - 2 * health / max(1, most)) ** 2 if most > 0 else 0.0
        self.healths.append(health)
        lost = sum(max(0, a - b) for a, b in pairwise(self.healths))
        if lost >= 2:
            ticks_to_live = health * root.tick / lost
            self.need = max(self.need, min(1.0, 2 - ticks_to_live / (self.game.width + self.game.height)))
        return super().map_of(root)

    def wish(self, type: int) -> float:
        brought = self.meetings[type]
        if not brought:
            return 0.0
        health, units = (sum(each) / len(brought) for each in zip(*brought, strict=True))
        return 4 * self.need * min(1.0, max(0.0, health)) + min(1.0, max(0.0, units)) / (2 + 2 * self.held)
