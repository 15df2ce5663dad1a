from paidia.control.settings import ControlSettings
from paidia.control.tuner import Tuner

class GameRandom(Tuner):
    Settings: type[ControlSettings]

class TurnRandom(Tuner):
    Settings: type[ControlSettings]

class SimulationRandom(Tuner):
    Settings: type[ControlSettings]
