import numpy as np
from numpy.typing import NDArray

from paidia.core.game import State

def replay(
    start: State,
    moves: NDArray[np.int32],
    over: NDArray[np.uint8],
    goals: NDArray[np.float64],
    fluents: NDArray[np.uint8] | None = None,
) -> tuple[int, int, str]: ...
