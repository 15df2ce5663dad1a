import numpy as np
import numpy.typing as npt

from paidia.search.playout.base import Playout

class Ppa(Playout):
    features: bool
    memory: bool
    adapt_tree: bool
    learned: int
    def __init__(self, *, features: bool = ..., memory: bool = ..., learned: int = ..., adapt_tree: bool = ...) -> None: ...
    def reset(self) -> None: ...
    def get_weights(self) -> npt.NDArray[np.float64]: ...
    def set_weights(self, weights: npt.NDArray[np.float64]) -> None: ...
