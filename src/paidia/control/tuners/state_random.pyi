from paidia.control.settings import ControlSettings
from paidia.control.tuner import Tuner

class StateRandom(Tuner):
    Settings: type[ControlSettings]
