from collections.abc import Sequence

from paidia.core.model import Situation

LONGEST: int

class Leaves:
    most: int
    def means(self, states: Sequence[Situation], *, seed: int, limit: int | None = ...) -> list[list[float]]: ...
    def takes(self, state: Situation) -> bool: ...
