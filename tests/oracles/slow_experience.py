"""What simulations teach about cells and types, in dictionaries: where the avatar dies, what stops it, what it has met."""

from __future__ import annotations

import math
from collections import Counter

from paidia.games.vgdl.engine.game import VgdlState

WALL_AND_SHOTS = {0, 5}  # categories of avatars and of what they make


def cell_of(state: VgdlState) -> tuple[int, int] | None:
    """The cell that the middle of the avatar is in."""
    avatar, game = state.avatar(), state.game
    if avatar is None:
        return None
    x, y = (part + game.block // 2 for part in avatar[0])
    inside = 0 <= x < game.width * game.block and 0 <= y < game.height * game.block
    return (x // game.block, y // game.block) if inside else None


def held(state: VgdlState) -> int:
    """Units of all resources."""
    return sum(state.resource(type_) for type_ in range(len(state.game.types)))


class SlowExperience:
    """Deaths by cell, which fade by a tenth in every tick, and how often sprites of a type stopped the avatar."""

    def __init__(self) -> None:
        self.deaths: Counter[tuple[int, int]] = Counter()
        self.stays: Counter[tuple[int, int]] = Counter()
        self.blocked: Counter[int] = Counter()
        self.passed: Counter[int] = Counter()

    def fade(self) -> None:
        for table in (self.deaths, self.stays):
            for cell in table:
                table[cell] *= 0.9  # type: ignore[assignment]

    def learn(self, before: VgdlState, after: VgdlState) -> None:
        cell = cell_of(after)
        if cell is not None:
            (self.deaths if after.winner == 0 else self.stays)[cell] += 1
        old, new = before.avatar(), after.avatar()
        moved = old is not None and new is not None and old[0] != new[0]
        for _, _, passive, shot, *_ in after.events()[len(before.events()) :][-8:]:
            if not shot:
                (self.passed if moved else self.blocked)[passive] += 1

    def danger(self, state: VgdlState) -> float:
        cell = cell_of(state)
        return 0.0 if cell is None else self.deaths[cell] / (self.deaths[cell] + self.stays[cell] + 3.0)

    def obstacles(self, state: VgdlState) -> set[tuple[int, int]]:
        block = state.game.block
        return {(x // block, y // block) for _, type_, _, x, y in state.seen() if self.blocked[type_] > 4 * self.passed[type_]}


class SlowEarlierKnowledge:
    """Equation 4.5 of the thesis with the terms of Perez, Samothrakis and Lucas 2014."""

    def __init__(self, game_types: tuple[str, ...], *, alpha: float = 0.66, beta: float = 0.33, rare: bool = False) -> None:
        self.alpha, self.beta, self.rare = alpha, beta, rare
        self.met: Counter[int] = Counter()
        self.change: Counter[int] = Counter()
        self.left_out = {number for number, name in enumerate(game_types) if name == "wall"}

    def distances(self, state: VgdlState) -> dict[int, float]:
        avatar = state.avatar()
        found: dict[int, float] = {}
        for category, type_, _, x, y in state.seen():
            if category in WALL_AND_SHOTS:
                self.left_out.add(type_)
            if avatar is not None:
                far = math.hypot(x - avatar[0][0], y - avatar[0][1])
                found[type_] = min(found.get(type_, math.inf), far)
        return found

    def begin_tick(self, root: VgdlState) -> None:
        self.at_root, self.events_at_root = self.distances(root), len(root.events())

    def observe(self, before: VgdlState, after: VgdlState) -> None:
        for _, active, passive, *_ in after.events()[len(before.events()) :]:
            self.left_out.add(active)
            self.met[passive] += 1
            self.change[passive] += after.score - before.score  # type: ignore[assignment]

    def bonus(self, state: VgdlState) -> float:
        counts = [n for type_, n in self.met.items() if n and type_ not in self.left_out]
        mean = sum(counts) / len(counts) if counts else 0.0
        new = Counter(passive for _, _, passive, *_ in state.events()[self.events_at_root :])
        now = self.distances(state)
        experience = nearer = 0.0
        for type_ in range(len(state.game.types)):
            if type_ in self.left_out:
                continue
            before, after = max(0, self.met[type_] - new[type_]), self.met[type_]
            if new[type_]:
                experience += after if before == 0 else after / before - 1
            first, last = self.at_root.get(type_, math.inf), now.get(type_, math.inf)
            if math.isinf(first) or math.isinf(last) or first == 0:
                continue
            good = before == 0 or self.change[type_] / after > 0 or (self.rare and after < 0.5 * mean)
            nearer += 1 - last / first if good else 0.0
        return self.beta * nearer + self.alpha * experience
