from paidia.games.gdl.machine import Machine

MOST_BYTES: int

class EffectTable:
    n_made: int
    bytes_made: int
    def __init__(self, machine: Machine) -> None: ...
