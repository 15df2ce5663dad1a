from os import PathLike
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from paidia.core.model import Situation

NODE_TYPE: np.dtype[Any]
EDGE_TYPE: np.dtype[Any]
EDGE_MORE_TYPE: np.dtype[Any]
NODE_MORE_TYPE: np.dtype[Any]

class Tree:
    n_roles: int
    decisive: bool
    keep_squares: bool
    keep_bounds: bool
    keep_estimates: bool
    keep_weights: bool
    full: bool
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
        weights: bool = ...,
        estimates: bool = ...,
        max_legal: int = ...,
        memory: int = ...,
    ) -> Self: ...
    def clear(self) -> None: ...
    def check_free(self) -> None: ...
    def detach(self) -> None: ...
    def leave(self) -> None: ...
    def occupy(self) -> None: ...
    @property
    def memory(self) -> tuple[int, int]: ...
    def root(self, state: Situation) -> int: ...
    def arrays(self) -> dict[str, npt.NDArray[Any]]: ...
    def save(self, file: str | PathLike[str]) -> None: ...
