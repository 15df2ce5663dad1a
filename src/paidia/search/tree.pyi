from os import PathLike
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from paidia.core.model import Situation
from paidia.search.statistics.amaf import AmafTables

NODE_TYPE: np.dtype[Any]
EDGE_TYPE: np.dtype[Any]
EDGE_MORE_TYPE: np.dtype[Any]
NODE_MORE_TYPE: np.dtype[Any]

class Tree:
    n_roles: int
    keep_squares: bool
    keep_bounds: bool
    keep_estimates: bool
    sequences: bool
    limit: int
    front: int
    n_nodes: int
    n_edges: int
    def __new__(
        cls,
        n_roles: int,
        *,
        squares: bool = ...,
        bounds: bool = ...,
        sequences: bool = ...,
        estimates: bool = ...,
        max_legal: int = ...,
    ) -> Self: ...
    def keep_below(self, root: int, factor: float, amaf: AmafTables | None) -> AmafTables | None: ...
    def clear(self) -> None: ...
    def keep_since(self, step: int, amaf: AmafTables | None) -> AmafTables | None: ...
    def root(self, state: Situation) -> int: ...
    def arrays(self) -> dict[str, npt.NDArray[Any]]: ...
    def save(self, file: str | PathLike[str]) -> None: ...
