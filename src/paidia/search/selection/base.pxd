# The contract of a selection strategy.

from libc.math cimport INFINITY
from libc.stdint cimport int32_t

from paidia.core.machine.rng cimport Rng, rng_below
from paidia.search.frame.simulation cimport Simulation
from paidia.search.frame.strategy cimport Strategy
from paidia.search.nodes.tree cimport Tree, node_visits, quality, tries, worth


cdef class Selection(Strategy):
    cdef bint first_of_ties     # among equal moves take the first in generation order, not a random one
    cdef bint ties_in_turn      # draw each time that one more equal move comes up, not once among all
    cdef double* values         # room for the value of every legal move

    # A simulation starts at the root.
    cdef void begin_simulation(self, Simulation* sim) noexcept nogil
    # The simulation has come to `node`; called before anybody chooses there.
    cdef void enter(self, Tree tree, int32_t node, Simulation* sim) noexcept nogil
    # The move of `role` at `node`, as an index into its n edges, which start at edge `first`.
    cdef int select(self, Tree tree, int32_t node, int role, int32_t first, int n, Simulation* sim) noexcept nogil
    # One of the n moves whose value is at least `least`, by the strategy's rule for ties.
    cdef int pick(self, int n, double least, Simulation* sim) noexcept nogil
    cdef int pick_in_turn(self, int n, double least, Simulation* sim) noexcept nogil
    cdef int pick_unvisited(self, Tree tree, int32_t first, int n, Simulation* sim) noexcept nogil
