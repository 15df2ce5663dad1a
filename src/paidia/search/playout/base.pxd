# The contract of a playout strategy.

from paidia.core.game cimport State
from paidia.core.model cimport move_t
from paidia.search.simulation cimport Simulation
from paidia.search.strategy cimport Strategy


cdef class Playout(Strategy):
    # Play `state` to the end (or to sim.limit joint moves), recording the moves in sim.
    cdef void run(self, State state, Simulation* sim) noexcept nogil
    cdef move_t move_of(self, State state, Simulation* sim, int role) noexcept nogil
    # The move of `role` in `state`, as an index into its n legal moves. Also used in the tree where T asks for it.
    cdef int choose(self, State state, Simulation* sim, int role, const move_t* moves, int n) noexcept nogil
