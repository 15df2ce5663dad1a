from typing import Literal

from paidia.control.settings import ControlSettings
from paidia.control.tuner import Tuner

def expected_simulations(per_second: float, play_clock: float, turns: float, *, factor: float = 3.0) -> int: ...

class LsiSettings(ControlSettings, frozen=True, kw_only=True):
    samples: int = 100_000
    generation: float = 0.75
    candidates: int = 2000
    per: Literal["game", "turn"] = "game"
    seconds: float = 0.0
    estimate: bool = False
    factor: float = 3.0

class Lsi(Tuner):
    Settings: type[LsiSettings]
    settings: LsiSettings
    def __init__(self, settings: LsiSettings) -> None: ...
    @property
    def planned(self) -> float | None: ...
    def expect(self, simulations: int) -> None: ...
