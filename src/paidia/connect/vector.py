"""`paidia.vector`: one face for many matches at once, whatever the rules are written in.

Rule sheets with a net run as lane programs (`games/gdl/lanes`), on the processor or on a GPU; boards and other sheets as states
side by side; video games as lanes of their kernel.
"""

from __future__ import annotations

import itertools
import os
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paidia.connect.video_lanes import VideoLanes
from paidia.core.errors import BadInput
from paidia.core.game import Game
from paidia.core.lanes.state_lanes import StateLanes
from paidia.core.lanes.vector import Vector
from paidia.core.model import Rules
from paidia.games import load
from paidia.games.gdl.lanes.compile.build import build_program
from paidia.games.gdl.lanes.processor.vector import LaneVector
from paidia.games.gdl.lanes.program import LaneProgram
from paidia.games.gdl.net.kernel import NetGame
from paidia.games.vgdl.engine.game import VgdlGame

__all__ = ["NoGpu", "StateVector", "VideoVector", "vector"]


class NoGpu(UserWarning):
    """A GPU was asked for, and the processor is used."""


def vector(
    game: str | Rules, lanes: int = 1024, *, device: str = "cpu", threads: int | None = None, level: int | str | None = None
) -> Vector:
    """Many matches of a game, stepped together.

    Args:
        game: A game, or what `paidia.load` takes.
        lanes: How many matches; on a GPU a multiple of 1024.
        device: "cpu", or "cuda" for rule sheets; where that cannot be, a warning says why and the processor is used.
        threads: Of the processor; all cores if not given.
        level: Of a video game.
    """
    if device not in ("cpu", "cuda"):
        raise BadInput(f"a device is cpu or cuda, not {device!r}")
    rules = load(game, level=None if level is None else str(level)) if isinstance(game, str) else game
    program = None
    if isinstance(rules, NetGame):
        try:
            program = build_program(rules)
        except BadInput as error:
            warnings.warn(f"{error}; its lanes are states of the scalar kernel", stacklevel=2)
    if device == "cuda":
        found = _on_gpu(rules, program, lanes)
        if not isinstance(found, str):
            return found
        warnings.warn(f"no GPU for {rules.id}: {found}; the processor is used", NoGpu, stacklevel=2)
    if program is not None:
        return LaneVector(program, lanes, threads=threads)
    if isinstance(rules, VgdlGame):
        return VideoVector(rules, lanes, threads=threads)
    if isinstance(rules, Game):
        return StateVector(rules, lanes)
    raise BadInput(f"{rules.id}: lanes play boards, rule sheets and video games of one player")


def _on_gpu(rules: Rules, program: LaneProgram | None, lanes: int) -> Vector | str:
    """The lanes on the GPU, or why not."""
    from paidia.games.gdl.lanes.gpu.runner import MOST_STRAIGHT, CudaLanes
    from paidia.games.gdl.lanes.gpu.vector import CudaVector

    if program is None:
        return "only rule sheets with a net have code for it"
    if program.play.has_loops or program.play.size > MOST_STRAIGHT:
        return f"its step is too large for straight code ({program.play.size:,} operations, {MOST_STRAIGHT:,} at most, no loops)"
    try:
        import cupy

        n = cupy.cuda.runtime.getDeviceCount()
    except ImportError:
        return "CuPy is not installed (pip install paidia[gpu])"
    except Exception as error:  # CUDARuntimeError; its class is CuPy's own
        return f"CUDA says {error}"
    if not n:
        return "CUDA sees no device"
    return CudaVector(CudaLanes(program, form="straight"), lanes)


class StateVector(Vector):
    """Lanes of any game with goals."""

    device = "cpu"

    def __init__(self, game: Game, lanes: int) -> None:
        self.states = StateLanes(game, lanes)
        self.game, self.lanes, self.roles = game, lanes, game.roles
        self.actions = (game.n_moves,) * (1 if self.states.in_turn else game.n_roles)
        self.observation_shape = game.observation_shape or ()
        self.rewards, self.terminated, self.illegal = self.states.rewards, self.states.over, self.states.illegal
        self._mask: NDArray[np.bool_] | None = None
        self.reset()

    def _begin(self) -> None:
        self.states.begin(self.random() if self.game.chance else None)
        self._mask = None

    def step(self, actions: Any) -> tuple[Any, Any]:
        given = self._checked(actions)
        if given.min() < 0 or given.max() >= self.game.n_moves:
            raise BadInput(f"{self.game.id}: moves are 0 to {self.game.n_moves - 1}")
        self.states.play(given)
        self._mask = None
        return self.rewards, self.terminated

    @property
    def legal_mask(self) -> Any:
        if self._mask is None:
            found = np.empty((self.lanes, sum(self.actions)), np.uint8)
            self.states.legal(found)
            self._mask = found.view(np.bool_)
        return self._mask

    def observation(self, form: str = "bool") -> Any:
        if self.game.observation_shape is None:
            raise BadInput(f"{self.game.id} does not show itself as numbers")
        out = np.empty((self.lanes, int(np.prod(self.observation_shape))), np.uint8)
        self.states.observe(out)
        return _formed(out, self._form(form), self.observation_shape)

    @property
    def current_role(self) -> Any:
        return self.states.movers()

    def action_name(self, role: int, action: int) -> str:
        return self.game.move_name(role, action)


class VideoVector(Vector):
    """Lanes of a video game of one player, over threads; every lane is an independent situation with chance of its own."""

    device = "cpu"

    def __init__(self, game: VgdlGame, lanes: int, *, threads: int | None = None) -> None:
        n = max(1, min(threads or os.cpu_count() or 1, lanes // 64))
        cuts = [lanes * i // n for i in range(n + 1)]
        self.parts = [VideoLanes(game, end - begin) for begin, end in itertools.pairwise(cuts)]
        self._slices = [slice(begin, end) for begin, end in itertools.pairwise(cuts)]
        self._pool = ThreadPoolExecutor(n) if n > 1 else None
        self.game, self.lanes, self.roles = game, lanes, game.roles
        self.names = self.parts[0].actions
        self.actions = (len(self.names),)
        self.observation_shape = tuple(self.parts[0].observations.shape[1:])
        self.rewards = np.zeros((lanes, 1), np.float32)
        self.terminated, self.illegal = np.zeros(lanes, np.bool_), np.zeros(lanes, np.bool_)
        self.reset()

    def _begin(self) -> None:
        seeds = self.random()
        for part, mine in zip(self.parts, self._slices, strict=True):
            part.reset([int(seed) for seed in seeds[mine]])
        self.rewards[:], self.terminated[:] = 0, False

    def step(self, actions: Any) -> tuple[Any, Any]:
        given = self._checked(actions, np.int64)[:, 0]
        if given.min() < 0 or given.max() >= self.actions[0]:
            raise BadInput(f"{self.game.id}: actions are 0 to {self.actions[0] - 1} ({', '.join(self.names)})")

        def work(part: VideoLanes, mine: slice) -> None:
            part.step(given[mine])
            self.rewards[mine, 0] = part.rewards
            self.terminated[mine] = part.over
            if part.over.any():  # the next match begins at once, as in all lanes
                part.begin_over()

        if self._pool is None:
            work(self.parts[0], self._slices[0])
        else:
            list(self._pool.map(work, self.parts, self._slices))
        return self.rewards, self.terminated

    @property
    def legal_mask(self) -> Any:
        """Every action may be tried at any time; one that the avatar does not have does nothing."""
        return np.ones((self.lanes, self.actions[0]), np.bool_)

    def observation(self, form: str = "bool") -> Any:
        seen = np.concatenate([part.observations for part in self.parts]) if len(self.parts) > 1 else self.parts[0].observations
        return _formed(seen.reshape(self.lanes, -1), self._form(form), self.observation_shape)

    @property
    def current_role(self) -> Any:
        return np.zeros(self.lanes, np.int32)

    def action_name(self, role: int, action: int) -> str:
        return self.names[action]


def _formed(rows: NDArray[np.uint8], form: str, shape: tuple[int, ...]) -> NDArray[Any]:
    """Rows of bytes 0 and 1 in another form."""
    if form == "packed":
        return np.packbits(rows, axis=1, bitorder="little")
    return rows.reshape(len(rows), *shape).astype(np.float32 if form == "float" else np.bool_)
