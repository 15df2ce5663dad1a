# The contract of a playout strategy.

from paidia.core.lanes.leaves cimport Leaves
from paidia.core.model cimport Situation, move_t
from paidia.search.frame.simulation cimport Simulation
from paidia.search.frame.simulator cimport Simulator
from paidia.search.frame.strategy cimport Strategy


cdef class Playout(Strategy):
    cdef Simulator search           # whose simulations it plays
    cdef readonly Leaves leaves     # plays many of them at once (waves.pyx); None: one after the other

    # Play `state` to the end (or to sim.limit joint moves), recording the moves in sim.
    cdef void run(self, Situation state, Simulation* sim) noexcept nogil
    # The move of `role` in `state`, as an index into its n legal moves. Also used in the tree where T asks for it.
    cdef int choose(self, Situation state, Simulation* sim, int role, const move_t* moves, int n) noexcept nogil
