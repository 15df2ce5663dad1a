from paidia.control.settings import ControlSettings
from paidia.control.space import Space
from paidia.control.tuner import Tuner

def in_intervals(space: Space) -> Space: ...

class CmaEsSettings(ControlSettings, frozen=True, kw_only=True):
    set: str = "continuous"
    sigma: float = 0.3
    population: int = 0

class CmaEs(Tuner):
    Settings: type[CmaEsSettings]
    settings: CmaEsSettings
    def __init__(self, settings: CmaEsSettings) -> None: ...
