"""The vector environment of rule sheets on the processor: lanes with actions from outside."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paidia.core.errors import BadInput
from paidia.core.lanes.vector import Vector
from paidia.games.gdl.lanes.processor.engine import Engine, aligned
from paidia.games.gdl.lanes.processor.native import compile_program
from paidia.games.gdl.lanes.processor.spread import pick, rewards, spread
from paidia.games.gdl.lanes.program import LaneProgram

__all__ = ["LaneVector"]

#: Operations of `play` that are compiled at once where there is a compiler: about a second, and then kept.
COMPILED = 12_000
#: Blocks below which threads cost more than they bring.
SHARE = 4


class LaneVector(Vector):
    """Lanes of a lane program, over threads."""

    device = "cpu"

    def __init__(self, program: LaneProgram, lanes: int, *, threads: int | None = None) -> None:
        if not 1 <= lanes <= 1 << 26:
            raise BadInput(f"there are 1 to {1 << 26} lanes, not {lanes}")
        self.program, self.lanes = program, lanes
        native = compile_program(program, routines=("play",), only_kept=program.play.size > COMPILED)
        self.engine = Engine(program, native=native)
        self.roles = tuple(program.roles)
        self.actions = tuple(program.actions)
        self.observation_shape = (program.n_fluents,)
        self.n_legal = sum(program.actions)
        self._told = program.n_fluents + self.n_legal  # illegal, over, goals
        self._blocks = -(-lanes // self.engine.lanes)
        self._planes = aligned((self._blocks, self._told + 2 + len(program.goal_role), self.engine.lanes // 64))
        self._role = np.array(program.goal_role, np.int32)
        self._value = np.array(program.goal_value, np.float64)
        self.rewards = np.zeros((lanes, len(self.roles)), np.float32)
        self.terminated = np.zeros(lanes, np.bool_)
        self.illegal = np.zeros(lanes, np.bool_)
        self._mask: NDArray[np.bool_] | None = None
        n = min(threads or os.cpu_count() or 1, -(-self._blocks // SHARE))
        self._cuts = [self._blocks * i // n for i in range(n + 1)]
        self._pool = ThreadPoolExecutor(n) if n > 1 else None
        self.reset()

    def _begin(self) -> None:
        start = np.array(self.program.initial + self.program.initial_legal, bool)
        self._planes[:] = 0
        self._planes[:, : len(start)] = np.where(start, np.uint64(2**64 - 1), np.uint64(0))[:, None]
        self.rewards[:], self.terminated[:], self.illegal[:] = 0, False, False
        self._mask = None

    def step(self, actions: Any) -> tuple[Any, Any]:
        given = self._checked(actions)
        for number, n in enumerate(self.actions):
            if given[:, number].min() < 0 or given[:, number].max() >= n:
                raise BadInput(f"{self.program.name}: moves of action {number} are 0 to {n - 1}")

        def work(first: int, last: int) -> None:
            self.engine.play_actions(self._planes, given, first, last)
            rewards(self._planes, self._told + 1, self._role, self._value, self.rewards, first, last)
            spread(self._planes, self._told, 1, self.illegal.view(np.uint8)[:, None], False, first, last)
            spread(self._planes, self._told + 1, 1, self.terminated.view(np.uint8)[:, None], False, first, last)

        self._share(work)
        self._mask = None
        return self.rewards, self.terminated

    def _share(self, work: Callable[[int, int], None]) -> None:
        """Let every thread do some blocks."""
        if self._pool is None:
            work(0, self._blocks)
        else:
            list(self._pool.map(work, self._cuts[:-1], self._cuts[1:]))

    def _spread(self, first: int, n: int, *, packed: bool = False) -> NDArray[np.uint8]:
        out = np.empty((self.lanes, (n + 7) // 8 if packed else n), np.uint8)
        if n:
            self._share(lambda begin, end: spread(self._planes, first, n, out, packed, begin, end))
        return out

    @property
    def legal_mask(self) -> Any:
        if self._mask is None:
            self._mask = self._spread(self.program.n_fluents, self.n_legal).view(np.bool_)
        return self._mask

    def observation(self, form: str = "bool") -> Any:
        found = self._spread(0, self.program.n_fluents, packed=self._form(form) == "packed")
        if form == "packed":
            return found
        return found.view(np.bool_) if form == "bool" else found.astype(np.float32)

    @property
    def current_role(self) -> Any:
        found = np.full(self.lanes, -1 if len(self.roles) > 1 else 0, np.int32)
        for role, fluent in enumerate(self.program.controls):
            found[self._spread(fluent, 1)[:, 0] != 0] = role
        return found

    def sample(self) -> Any:
        mask = self.legal_mask.view(np.uint8)
        out = np.empty((self.lanes, len(self.actions)), np.int32)
        at = 0
        for number, n in enumerate(self.actions):
            pick(mask, at, n, self.random(), out, number)
            at += n
        return out

    def action_name(self, role: int, action: int) -> str:
        return self.program.moves[role][action]
