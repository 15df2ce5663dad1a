from typing import Any

import numpy as np
from numpy.typing import NDArray

from paidia.games.gdl.lanes.program import LaneProgram

CACHE: int

def widths() -> list[tuple[str, int]]: ...
def aligned(shape: tuple[int, ...]) -> NDArray[np.uint64]: ...

class Tally:
    games: int
    cut: int
    steps: int
    shortest: int
    longest: int
    square: float
    decisions: int
    legal: int
    goal_count: NDArray[np.int64]
    goal_sum: NDArray[np.float64]
    goal_square: NDArray[np.float64]
    goal_best: NDArray[np.float64]
    def __init__(self, n_goals: int, n_roles: int) -> None: ...
    def add(self, other: Tally) -> None: ...

class Engine:
    program: LaneProgram
    lanes: int
    name: str
    planes: dict[str, int]
    def __init__(
        self, program: LaneProgram, *, words: str | None = None, lanes: int | None = None, native: Any = None
    ) -> None: ...
    def tally(self) -> Tally: ...
    def play_block(self, seed: int, block: int, quota: NDArray[np.int32], limit: int = ..., branching: bool = ...) -> Tally: ...
    def block(self, routine: str) -> NDArray[np.uint64]: ...
    def run(self, routine: str, planes: NDArray[np.uint64]) -> None: ...
    def draw(self, state: NDArray[np.uint64], planes: NDArray[np.uint64], first: int, n: int) -> None: ...
    def play_actions(self, planes: NDArray[np.uint64], actions: NDArray[np.int32], first: int, last: int) -> None: ...
