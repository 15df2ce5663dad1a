from typing import Literal

from paidia.control.settings import ControlSettings
from paidia.control.tuner import Tuner

class NtbeaSettings(ControlSettings, frozen=True, kw_only=True):
    neighbours: int = 5
    C: float = 0.2
    tuples: tuple[int, ...] = (1,)
    full_tuple: bool = True
    unseen: Literal["skip", "half", "lucas"] = "skip"
    def members(self, d: int) -> list[tuple[int, ...]]: ...

class Ntbea(Tuner):
    Settings: type[NtbeaSettings]
    settings: NtbeaSettings
    def __init__(self, settings: NtbeaSettings) -> None: ...
