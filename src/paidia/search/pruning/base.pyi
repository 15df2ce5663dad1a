from collections.abc import Sequence
from typing import Any

from paidia.search.frame.strategy import Strategy

class Pruning(Strategy): ...

class PythonPruning(Pruning):
    def keeps(self, state: Any, moves: Sequence[int]) -> Sequence[bool]: ...
