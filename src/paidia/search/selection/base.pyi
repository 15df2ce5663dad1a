import numpy as np
import numpy.typing as npt

from paidia.search.frame.strategy import Strategy

class Selection(Strategy):
    def __init__(self, *, ties: str = ...) -> None: ...

class PythonSelection(Selection):
    def choose(
        self,
        role: int,
        moves: npt.NDArray[np.int32],
        visits: npt.NDArray[np.int32] | npt.NDArray[np.float64],
        means: npt.NDArray[np.float64],
        node_visits: float,
        exploration: float,
    ) -> int: ...
