from typing import Self

from paidia.core.game import Game, State
from paidia.games.gdl.net.effects import EffectTable
from paidia.games.gdl.net.machine import Machine

class NetGame(Game):
    machine: Machine
    table: EffectTable
    def __init__(self, id: str, machine: Machine) -> None: ...
    def initial_state(self) -> NetState: ...

class NetState(State):
    def __new__(cls, game: NetGame) -> Self: ...
    def fluents(self) -> list[str]: ...

def legal_names(state: State, role: int) -> list[str]: ...
