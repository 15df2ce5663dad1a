from typing import Any

from paidia.games.gdl.language.rules import RuleSheet
from paidia.games.gdl.net.ground import GroundProgram, NetLimits

__all__ = ["Net", "build_net"]

class Net:
    roles: tuple[str, ...]
    fluents: list[str]
    constant: list[str]
    moves: list[list[str]]
    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def goal_values(self) -> list[float]: ...
    @property
    def loops(self) -> int: ...
    def export(self) -> dict[str, Any]: ...

def build_net(sheet: RuleSheet, program: GroundProgram, limits: NetLimits) -> Net: ...
