from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from paidia.games.vgdl.engine.game import VgdlGame, VgdlState

class VideoLanes:
    game: VgdlGame
    n: int
    ids: bool
    actions: tuple[str, ...]
    observations: NDArray[np.uint8]
    rewards: NDArray[np.float64]
    over: NDArray[np.bool_]
    scores: NDArray[np.float64]
    winners: NDArray[np.int64]
    ticks: NDArray[np.int64]
    def __init__(self, game: VgdlGame, lanes: int, *, ids: bool = ...) -> None: ...
    def reset(self, seed: int | Sequence[int], lanes: ArrayLike | None = ...) -> None: ...
    def step(self, actions: ArrayLike) -> None: ...
    def begin_over(self) -> None: ...
    def random_steps(self, steps: int, seed: int | None = ...) -> int: ...
    def state(self, lane: int) -> VgdlState: ...
    def put(self, lane: int, state: VgdlState) -> None: ...
