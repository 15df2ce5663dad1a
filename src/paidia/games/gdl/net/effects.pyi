from typing import Self

from paidia.games.gdl.net.machine import Machine

MOST_BYTES: int

class EffectTable:
    n_made: int
    bytes_made: int
    def __new__(cls, machine: Machine) -> Self: ...
