"""Lane programs run on a GPU, in either form."""

from __future__ import annotations

from typing import Any

import numpy as np

from paidia.games.gdl.lanes.gpu.kernels import common
from paidia.games.gdl.lanes.gpu.source import cuda_source
from paidia.games.gdl.lanes.portable import Op, random_state

__all__ = ["CudaLanes"]

#: Operations of a program that is still compiled as straight code.
MOST_STRAIGHT = 40_000


class CudaLanes:
    """A lane program on the GPU.

    Attributes:
        form: "straight" or "table".
    """

    def __init__(
        self, program: Any, *, form: str | None = None, blocks: int = 8, cubins: dict[str, str] | None = None, tables: Any = None
    ) -> None:
        """Compile, or take what nvcc has compiled.

        Args:
            program: A `LaneProgram`, or what `read_saved` returns.
            form: "straight" or "table"; by default whichever suits the size of the program.
            blocks: See `cuda_source`.
            cubins: By kernel ("refill", "leaf", "play"): path of its compiled straight code; others are compiled when needed.
            tables: For the table form: `table_of(program)`.
        """
        import cupy

        self.cupy = cupy
        self.program = program
        n = len(program.step.rows)
        loops = bool((program.step.rows[:, 0] == Op.LOOP).any())
        self.form = form or ("table" if loops or n > MOST_STRAIGHT else "straight")
        self.common = common(cupy)
        self.tables: dict[str, Any] = {}
        self.blocks = blocks
        self._kernels: dict[str, Any] = {
            name: cupy.RawModule(path=path).get_function(name) for name, path in (cubins or {}).items()
        }
        if self.form == "table":
            self.tables = {
                name: cupy.asarray(value) if isinstance(value, np.ndarray) else value for name, value in tables.items()
            }

    def kernel(self, name: str) -> Any:
        """A kernel of the straight form."""
        if name not in self._kernels:
            code = cuda_source(self.program, blocks=self.blocks, kernels=(name,))
            self._kernels[name] = self.cupy.RawModule(code=code, options=("-DACTION=int",), backend="nvrtc").get_function(name)
        return self._kernels[name]

    def refill(
        self, words: int, *, seed: int, steps: int, quota_bits: int = -1, planes: bool = False, first: int = 0
    ) -> dict[str, Any]:
        """Play games one after the other in 32 * words lanes; `words` is a multiple of 32.

        Args:
            words: 32-lane words.
            seed: Of the random planes.
            steps: Steps at most.
            quota_bits: Every lane plays 2 ** quota_bits games, then it is done: so short games are not favoured. -1: all steps
                are played and all games that end are counted.
            planes: Whether the fluents after the last step are wanted.
            first: The first word, for its random planes.
        """
        cp = self.cupy
        rngs = cp.asarray(random_state(seed, words, first))
        return self.read(self.refill_raw(rngs, words, steps, quota_bits, planes))

    def refill_raw(self, rngs: Any, words: int, steps: int, quota_bits: int, planes: bool) -> dict[str, Any]:
        """The launch itself; nothing is waited for."""
        cp, program = self.cupy, self.program
        n_goals = len(program.goal_role)
        counts, several = cp.zeros(2 + max(1, n_goals), cp.uint64), cp.zeros(len(program.roles), cp.float64)
        if self.form == "straight":
            out = cp.zeros((len(program.initial), words), cp.uint32) if planes else None
            self.kernel("refill")(
                (words // 32,),
                (32,),
                (rngs, np.uint32(words), np.int32(steps), np.int32(quota_bits), counts, several, out if planes else np.uint64(0)),
            )
        else:
            t = self.tables
            out = cp.empty((t["n_planes"], words), cp.uint32)
            self.common.get_function("table_refill")(
                (words // 128 or 1,),
                (min(128, words),),
                (
                    rngs,
                    np.uint32(words),
                    np.int32(steps),
                    np.int32(quota_bits),
                    counts,
                    several,
                    out,
                    t["look"],
                    t["move"],
                    t["goals"] if "goals" in t else np.uint64(0),
                    np.uint32(len(program.initial)),
                    np.uint32(program.n_random),
                    np.uint32(t["over"]),
                    np.uint32(t["goals_at"]),
                    np.uint32(n_goals),
                    t["role"],
                    t["value"],
                    t["initial"],
                ),
            )
            out = out[: len(program.initial)]
        return {"counts": counts, "several": several, "planes": out}

    def leaf(self, words: int, states: Any, *, seed: int, steps: int = 100_000, rngs: Any = None) -> dict[str, Any]:
        """Play every lane once to the end, from states that are given as planes (fluents, words of states): word i gets state
        i % their number; goals are counted over all lanes. `rngs`: generators on the GPU, to go on with."""
        given = self.cupy.asarray(states)
        return self.read(
            self.leaf_raw(self.cupy.asarray(random_state(seed, words)) if rngs is None else rngs, words, given, steps)
        )

    def leaf_raw(self, rngs: Any, words: int, states: Any, steps: int = 100_000) -> dict[str, Any]:
        """The launch itself; nothing is waited for."""
        cp = self.cupy
        counts = cp.zeros(2 + max(1, len(self.program.goal_role)), cp.uint64)
        arguments = (rngs, np.uint32(words), states, np.uint32(states.shape[1]), np.int32(steps), counts, np.uint64(0))
        self.kernel("leaf")((words // 32,), (32,), arguments)
        return {"counts": counts, "several": cp.zeros(1), "planes": None}

    def read(self, raw: dict[str, Any]) -> dict[str, Any]:
        """Results on the host."""
        counts = [int(x) for x in raw["counts"].get()]
        n_goals = len(self.program.goal_role)
        return {
            "games": counts[0],
            "steps": counts[1],
            "goal_count": counts[2 : 2 + n_goals],
            "several": [float(x) for x in raw["several"].get()],
            "planes": None if raw["planes"] is None else raw["planes"].get(),
        }
