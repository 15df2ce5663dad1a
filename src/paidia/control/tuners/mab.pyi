from paidia.control.settings import ControlSettings
from paidia.control.tuner import Tuner

class MabSettings(ControlSettings, frozen=True, kw_only=True):
    C: float = 0.7
    first_play: float = 1.0
    batch: int = 10

class Mab(Tuner):
    Settings: type[MabSettings]
    settings: MabSettings
    def __init__(self, settings: MabSettings) -> None: ...
