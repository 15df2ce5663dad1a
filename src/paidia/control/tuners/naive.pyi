from paidia.control.settings import ControlSettings
from paidia.control.tuner import Tuner

class NaiveSettings(ControlSettings, frozen=True, kw_only=True):
    epsilon0: float = 0.75
    C_local: float = 0.7
    C_global: float = 0.7
    first_play: float = 1.0

class Nmc(Tuner):
    Settings: type[NaiveSettings]
    settings: NaiveSettings
    def __init__(self, settings: NaiveSettings) -> None: ...

class LocalNaiveSettings(NaiveSettings, frozen=True, kw_only=True):
    epsilon0: float = 1.0

class LocalNmc(Nmc):
    Settings: type[LocalNaiveSettings]
    settings: LocalNaiveSettings
