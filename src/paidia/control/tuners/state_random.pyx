# distutils: extra_compile_args = -O1
"""STATE-RND: fresh random values for each role in every state that a simulation visits, in the tree and in the playout.

Sironi and Winands, "Analysis of the impact of randomization of search-control parameters in MCTS", section 4. Every
parameter is drawn by itself from its own list, as in the authors' program: K = 0 may meet any `ref` (which is then not
read), and has the weight of one value in ten. When it is drawn is a setting (docs/readings.md#state-rnd):

    read    at each read, as in the authors' program: epsilon, ref, T and VO once per role and state, C and K once for each
            move that is valued, so that two moves of one node are compared with different C and K
    state   once per role and state, as the paper's text may be read
"""

from typing import Literal

from paidia.control import CONTROLLERS
from paidia.control.combinations cimport Combos
from paidia.control.settings import ControlSettings
from paidia.control.tuner cimport Allocation, Tuner
from paidia.core.machine.rng cimport rng_below


cdef class RandomPerState(Allocation):
    """Independent draws per parameter; "unset" is never drawn."""

    cdef void draw(self, const int* columns, double* vector) noexcept nogil:
        cdef const Combos* c = self.space
        cdef int i
        for i in range(c.d):
            self.genes[i] = c.low[i] + rng_below(&self.rng, c.size[i] - c.low[i])
            vector[columns[i]] = c.values[c.first[i] + self.genes[i]]


class StateRandomSettings(ControlSettings, frozen=True, kw_only=True):
    """When values are drawn.

    Attributes:
        draw: At each "read" of a value, or once per role and "state".
    """

    draw: Literal["read", "state"] = "read"


cdef class StateRandom(Tuner):
    """Fresh values per state; the record counts draws and not simulations."""

    Settings = StateRandomSettings

    def __init__(self, settings):
        Tuner.__init__(self, settings)
        self.per_state = True
        self.per_read = settings.draw == "read"

    def allocate(self, seed):
        return RandomPerState(self.combinations, seed)

    def begin_game(self, int n_roles, list names, seed):
        """As every tuner; combinations are not counted, since drawn values need not make a legal one."""
        Tuner.begin_game(self, n_roles, names, seed)
        self.n_combinations = 0
        self.combination_count = NULL

    cdef void begin_simulation(self, double* vectors, int width) noexcept nogil:
        pass                                # the root is a state like any other

    cdef void fresh(self, int role, double* vector) noexcept nogil:
        (<RandomPerState>self.role[role]).draw(self.columns, vector)
        self.record(role, (<RandomPerState>self.role[role]).genes)


CONTROLLERS.add("state-rnd", StateRandom)
