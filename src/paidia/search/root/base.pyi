from collections.abc import Collection, Sequence
from typing import Any

from paidia.search.frame.strategy import Strategy

class RootStrategy(Strategy):
    def keep(self, step: int, previous: tuple[int, int | None] | None) -> tuple[int, float] | None: ...

class PythonRoot(RootStrategy):
    def unsafe(self, state: Any, moves: Sequence[int]) -> Collection[int]: ...
