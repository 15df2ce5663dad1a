"""The vector environment of rule sheets on a GPU: lanes with actions from outside."""

from __future__ import annotations

from typing import Any

import numpy as np

from paidia.core.errors import BadInput
from paidia.core.lanes.vector import Vector
from paidia.games.gdl.lanes.gpu.runner import CudaLanes

__all__ = ["CudaVector"]


class CudaVector(Vector):
    """The vector environment on the GPU.

    Attributes:
        planes: (planes, words) of 32 lanes each: fluents, legal moves, then illegal, over and goals of the last step.
    """

    device = "cuda"

    def __init__(self, lanes: CudaLanes, n: int) -> None:
        cp, program = lanes.cupy, lanes.program
        if n % 1024 or n < 1024:
            raise BadInput(f"lanes on a GPU are a multiple of 1024, not {n}")
        self.arrays, self.code, self.program, self.lanes = cp, lanes, program, n
        self.roles, self.actions = tuple(program.roles), tuple(program.actions)
        self.observation_shape = (len(program.initial),)
        self.words = n // 32
        self.n_legal = sum(program.actions)
        self.legal_at = len(program.initial)
        self.illegal_at = self.legal_at + self.n_legal
        self.over_at = self.illegal_at + 1
        self.goals_at = self.over_at + 1
        self.planes = cp.zeros((self.goals_at + len(program.goal_role), self.words), cp.uint32)
        self.role = cp.asarray(np.array([*program.goal_role, -1], np.int32))
        self.value = cp.asarray(np.array([*program.goal_value, 0], np.float32))
        self.rewards = cp.zeros((n, len(program.roles)), cp.float32)
        self.terminated = cp.zeros(n, cp.bool_)
        self.reset()

    def _begin(self) -> None:
        start = np.array([*self.program.initial, *self.program.initial_legal], bool)
        self.planes[:] = 0
        self.planes[: len(start)] = self.arrays.asarray(np.where(start, np.uint32(0xFFFFFFFF), np.uint32(0)))[:, None]
        self.rewards[:] = 0
        self.terminated[:] = False

    def play(self, actions: Any) -> None:
        """Play the actions (lanes, actions), int32; nothing is checked and no rewards are written."""
        self.code.kernel("play")((self.words // 32,), (32,), (self.planes, np.uint32(self.words), actions))

    def step(self, actions: Any) -> tuple[Any, Any]:
        self.play(self._checked(actions))
        self.code.common.get_function("rewards")(
            (self.words // 32,),
            (32,),
            (
                self.planes,
                np.uint32(self.words),
                np.uint32(self.over_at),
                np.uint32(self.goals_at),
                np.uint32(len(self.program.goal_role)),
                self.role,
                self.value,
                np.uint32(len(self.program.roles)),
                self.rewards,
                self.terminated,
            ),
        )
        return self.rewards, self.terminated

    def spread(self, first: int, n: int, form: str = "bool") -> Any:
        """Some planes as an array (lanes, planes) of truth values or floats, or (lanes, planes / 8) of bytes."""
        cp = self.arrays
        kind = {"bool": cp.bool_, "float": cp.float32, "packed": cp.uint8}[form]
        out = cp.empty((self.lanes, -(-n // 8) if form == "packed" else n), kind)
        if n:
            arguments = (self.planes, np.uint32(self.words), np.uint32(first), np.uint32(n), out)
            self.code.common.get_function(f"spread_{form}")((self.words // 32, min(out.shape[1], 64)), (32,), arguments)
        return out

    @property
    def illegal(self) -> Any:
        return self.spread(self.illegal_at, 1)[:, 0]

    @property
    def legal_mask(self) -> Any:
        return self.spread(self.legal_at, self.n_legal)

    def observation(self, form: str = "bool") -> Any:
        return self.spread(0, len(self.program.initial), self._form(form))

    @property
    def current_role(self) -> Any:
        cp = self.arrays
        found = cp.full(self.lanes, -1 if len(self.roles) > 1 else 0, cp.int32)
        for role, fluent in enumerate(self.program.controls):
            found[self.spread(fluent, 1)[:, 0]] = role
        return found

    def action_name(self, role: int, action: int) -> str:
        return str(self.program.moves[role][action])
