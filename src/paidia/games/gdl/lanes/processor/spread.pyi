import numpy as np
from numpy.typing import NDArray

def spread(
    planes: NDArray[np.uint64], first: int, n: int, out: NDArray[np.uint8], packed: bool, begin: int, end: int
) -> None: ...
def gather(rows: NDArray[np.uint8], of: NDArray[np.int32], planes: NDArray[np.uint64], first: int, n: int) -> None: ...
def rewards(
    planes: NDArray[np.uint64],
    over: int,
    role: NDArray[np.int32],
    value: NDArray[np.float64],
    out: NDArray[np.float32],
    begin: int,
    end: int,
) -> None: ...
def pick(
    mask: NDArray[np.uint8], first: int, n: int, random: NDArray[np.uint64], out: NDArray[np.int32], column: int
) -> None: ...
