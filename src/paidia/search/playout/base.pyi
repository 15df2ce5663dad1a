from collections.abc import Sequence
from typing import Any

from paidia.search.frame.strategy import Strategy

class Playout(Strategy):
    @property
    def waves(self) -> bool: ...

class PythonPlayout(Playout):
    def pick(self, state: Any, role: int, moves: Sequence[int], random: float) -> int: ...
