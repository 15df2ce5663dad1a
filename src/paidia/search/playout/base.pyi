from collections.abc import Sequence

from paidia.core.game import State
from paidia.search.strategy import Strategy

class Playout(Strategy): ...

class PythonPlayout(Playout):
    def pick(self, state: State, role: int, moves: Sequence[int], random: float) -> int: ...
