from paidia.control.settings import ControlSettings
from paidia.control.tuner import Tuner

class HierarchicalSettings(ControlSettings, frozen=True, kw_only=True):
    C: float = 0.7
    first_play: float = 1.0

class HierarchicalExpansion(Tuner):
    Settings: type[HierarchicalSettings]
    settings: HierarchicalSettings
    def __init__(self, settings: HierarchicalSettings) -> None: ...
