from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from paidia.core.game import State
from paidia.search.statistics.amaf import AmafTables

NODE_TYPE: np.dtype[Any]
EDGE_TYPE: np.dtype[Any]

class Tree:
    n_roles: int
    keep_squares: bool
    keep_bounds: bool
    n_nodes: int
    n_edges: int
    def __init__(self, n_roles: int, *, squares: bool = ..., bounds: bool = ...) -> None: ...
    def clear(self) -> None: ...
    def keep_since(self, step: int, amaf: AmafTables | None) -> AmafTables | None: ...
    def root(self, state: State) -> int: ...
    def arrays(self) -> dict[str, npt.NDArray[Any]]: ...
    def save(self, file: str | PathLike[str]) -> None: ...
