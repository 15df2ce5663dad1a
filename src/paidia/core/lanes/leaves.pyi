from collections.abc import Sequence
from typing import overload

from paidia.core.model import Situation

LONGEST: int

class Leaves:
    most: int
    lasted: float
    aside: float
    @overload
    def means(self, states: Sequence[Situation], *, seed: int, limit: int | None = ...) -> list[list[float]]: ...
    @overload
    def means(
        self, states: Sequence[Situation], *, seed: int, limit: int | None = ..., seconds: float | None
    ) -> list[list[float]] | None: ...
    def learn_pace(self, lasted: float, aside: float) -> None: ...
    def takes(self, state: Situation) -> bool: ...
