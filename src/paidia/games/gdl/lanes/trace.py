"""What lanes do, written down: for tests, and for a look at single games."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paidia.games.gdl.lanes.portable import random_state
from paidia.games.gdl.lanes.processor.engine import Engine, aligned
from paidia.games.gdl.lanes.program import LaneProgram

__all__ = ["Trace", "goal_values", "trace_block", "unpacked"]


class Trace(NamedTuple):
    """Steps of one block of lanes, as `replay` takes them.

    Attributes:
        moves: By step, lane and role: the move that was made, numbered in its role.
        over: By step and lane: whether the game was over before the step.
        goals: By step, lane and role.
        fluents: By step, lane and fluent.
    """

    moves: NDArray[np.int32]
    over: NDArray[np.uint8]
    goals: NDArray[np.float64]
    fluents: NDArray[np.uint8]


def unpacked(planes: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Planes (n, words) as bytes (n, lanes)."""
    return np.unpackbits(np.ascontiguousarray(planes).view(np.uint8), axis=-1, bitorder="little")


def goal_values(program: LaneProgram, holds: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The goals of all roles (lanes, roles), given which goals hold (goals, lanes): the mean of a role's, 0 where it has none."""
    lanes = holds.shape[1]
    total, n = np.zeros((lanes, len(program.roles))), np.zeros((lanes, len(program.roles)))
    for goal, (role, value) in enumerate(zip(program.goal_role, program.goal_value, strict=True)):
        total[:, role] += holds[goal] * value
        n[:, role] += holds[goal]
    return total / np.maximum(n, 1)


def trace_block(engine: Engine, *, seed: int, block: int = 0, steps: int, fluents: bool = True) -> Trace:
    """Play some steps of a block; the engine's program was built with `trace`."""
    program = engine.program
    words = engine.lanes // 32
    state = dealt(random_state(seed, words, block * words), engine)
    planes = engine.block("step")
    planes[: program.n_fluents] = np.where(np.array(program.initial), np.uint64(2**64 - 1), np.uint64(0))[:, None]
    only_goals = engine.block("goals")
    first = program.goal_planes.end
    found: list[tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.float64], NDArray[np.uint8]]] = []
    for _ in range(steps):
        before = unpacked(planes[: program.n_fluents]).T if fluents else np.zeros((0, 0), np.uint8)
        only_goals[: program.n_fluents] = planes[: program.n_fluents]
        engine.run("goals", only_goals)
        engine.draw(state, planes, program.n_fluents, program.n_random)
        engine.run("step_0", planes)
        made = unpacked(planes[first : first + program.n_moves])
        moves = np.full((engine.lanes, len(program.roles)), -1, np.int32)
        at = 0
        for role, names in enumerate(program.moves):
            mine = made[at : at + len(names)]
            moves[:, role] = np.where(mine.any(axis=0), mine.argmax(axis=0), -1)
            at += len(names)
        over = unpacked(planes[program.over_plane][None])[0]
        goals = goal_values(program, unpacked(only_goals[program.n_fluents : program.goals.n_planes]))
        found.append((moves, over, goals, np.ascontiguousarray(before)))
        engine.run("step_1", planes)
    columns = [np.ascontiguousarray(np.stack(column)) for column in zip(*found, strict=True)]
    return Trace(*columns)


def dealt(state: NDArray[np.uint64], engine: Engine) -> NDArray[np.uint64]:
    """Generators in the order in which the kernel keeps them: those of even words, then those of odd ones, vector by vector."""
    per = {"plain": 1, "avx2": 4, "avx512": 8}[engine.name]
    found = aligned((len(state),))
    found[:] = state.reshape(-1, per, 2).transpose(0, 2, 1).reshape(-1)
    return found
