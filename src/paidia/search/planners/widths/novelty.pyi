from typing import Self

from paidia.core.model import Situation
from paidia.search.planners.widths.atoms import Atoms

class Novelty:
    atoms: Atoms
    level: int
    full: bool
    def __new__(cls, atoms: Atoms, *, level: int = ..., slots: int = ...) -> Self: ...
    def test(self, state: Situation, *, memorize: bool = ..., changing: bool = ...) -> int: ...
    def clear(self) -> None: ...

def small_test(memory: list[int], atoms: list[int]) -> bool: ...
