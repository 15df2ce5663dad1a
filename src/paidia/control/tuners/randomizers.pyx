# distutils: extra_compile_args = -O1
"""GAME-RND, TURN-RND, SIM-RND: a random legal combination for each role, for a game, a turn or a simulation.

Sironi and Winands, "Analysis of the impact of randomization of search-control parameters in MCTS", section 4.
Uniform over legal combinations, as in the authors' program (docs/readings.md#randomization),
so K = 0 has the weight of one combination in 73
and not of one value in ten. Also as there, the start clock shares its draw with the first turn, if it has the
same number. Per state: state_random.pyx.
"""

from paidia.control import CONTROLLERS
from paidia.control.combinations cimport combos_draw
from paidia.control.settings import ControlSettings
from paidia.control.tuner cimport Allocation, Tuner


cdef class RandomPerSimulation(Allocation):
    """A new draw at every choice."""

    cdef void choose(self) noexcept nogil:
        combos_draw(self.space, &self.rng, self.genes)


cdef class RandomPerGame(Allocation):
    """One draw, at once."""

    def __init__(self, combinations, seed):
        Allocation.__init__(self, combinations, seed)
        combos_draw(self.space, &self.rng, self.genes)


cdef class RandomPerTurn(RandomPerGame):
    """A new draw whenever the number of the turn changes."""

    cdef int turn

    def __init__(self, combinations, seed):
        RandomPerGame.__init__(self, combinations, seed)
        self.turn = -1

    def begin_turn(self, int turn):
        if self.turn not in (-1, turn):
            combos_draw(self.space, &self.rng, self.genes)
        self.turn = turn


cdef class GameRandom(Tuner):
    """One random combination per role for the whole game."""

    Settings = ControlSettings

    def allocate(self, seed):
        return RandomPerGame(self.combinations, seed)


cdef class TurnRandom(Tuner):
    """A new random combination per role for each turn."""

    Settings = ControlSettings

    def allocate(self, seed):
        return RandomPerTurn(self.combinations, seed)


cdef class SimulationRandom(Tuner):
    """A new random combination per role for each simulation."""

    Settings = ControlSettings

    def allocate(self, seed):
        return RandomPerSimulation(self.combinations, seed)


CONTROLLERS.add("game-rnd", GameRandom)
CONTROLLERS.add("turn-rnd", TurnRandom)
CONTROLLERS.add("sim-rnd", SimulationRandom)
