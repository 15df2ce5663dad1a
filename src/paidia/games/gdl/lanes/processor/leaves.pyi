import numpy as np
from numpy.typing import NDArray

from paidia.core.lanes.leaves import Leaves
from paidia.core.model import Rules
from paidia.games.gdl.lanes.processor.engine import Engine

LANES: int

class LaneLeaves(Leaves):
    def __init__(self, game: Rules, engine: Engine, places: int, *, tau: float = ...) -> None: ...
    @property
    def history(self) -> NDArray[np.float64]: ...
