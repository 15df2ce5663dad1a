from paidia.control.settings import ControlSettings
from paidia.control.tuner import Tuner

class EvolutionSettings(ControlSettings, frozen=True, kw_only=True):
    population: int = 50
    elite: int = 25
    crossover: float = 0.5

class Evolution(Tuner):
    Settings: type[EvolutionSettings]
    settings: EvolutionSettings
    def __init__(self, settings: EvolutionSettings) -> None: ...
