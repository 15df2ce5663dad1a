"""A program as a table that one kernel reads, for GPUs (see kernels.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from paidia.games.gdl.lanes.compile.schedule import allocate, in_runs, pack
from paidia.games.gdl.lanes.portable import Op
from paidia.games.gdl.lanes.program import LaneProgram

__all__ = ["table_of"]

#: Operations that are put in another order among themselves.
WINDOW = 400


def table_of(program: LaneProgram) -> dict[str, Any]:
    """Operations of the two parts of a step, and of goals where they stand apart, with what else the kernel asks for."""
    step = program.step
    rows, n_planes = allocate(in_runs(step.rows, step.n_inputs, WINDOW), step.n_inputs, step.n_planes)
    packed, parts = pack(rows, 1)
    found: dict[str, Any] = {
        "look": packed[: parts[1]],
        "move": packed[parts[1] :],
        "over": program.over_plane,
        "goals_at": program.goal_planes.first,
        "role": np.array([*program.goal_role, -1], np.int32),
        "value": np.array([*program.goal_value, 0.0]),
        "initial": np.array(program.initial, np.uint8),
    }
    if not program.goals_in_step:
        rows, n_own = allocate(
            in_runs(program.goals.rows, program.goals.n_inputs, WINDOW), program.goals.n_inputs, program.goals.n_planes
        )
        shift = n_planes - program.n_fluents  # its planes beyond the fluents stand behind those of the step
        moved = rows[:, 1:]
        moved[moved >= program.n_fluents] += shift
        marks = np.isin(rows[:, 0], (Op.MARK, Op.LOOP, Op.END))
        moved[marks] = 0
        found["goals"] = pack(rows, 1)[0]
        found["goals_at"] = n_planes
        n_planes += n_own - program.n_fluents
    found["n_planes"] = n_planes
    return found
