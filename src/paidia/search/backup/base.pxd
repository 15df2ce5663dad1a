# The contract of a backup strategy.

from libc.stdint cimport int32_t

from paidia.search.frame.simulation cimport Path, Simulation
from paidia.search.frame.strategy cimport Strategy
from paidia.search.nodes.tree cimport Tree

cdef enum:              # the values of situations on the way that a backup wants in Simulation.values
    NO_VALUES
    PLAIN_VALUES
    EVALUATED


cdef class Backup(Strategy):
    cdef int wants_values
    # What the goals of a simulation that was played to its end count, before anyone learns from them.
    cdef void score(self, Simulation* sim) noexcept nogil
    # Enter the result at every node and edge of the path; each edge counts what `worth` says.
    cdef void update(self, Tree tree, const Path* path, const Simulation* sim) noexcept nogil
    # What the simulation is worth to the role that chose a move at a depth of the path: its result, unless somebody knows better.
    cdef double worth(self, int role, int depth, const Simulation* sim) noexcept nogil
    # Count a result at one edge alone, by a share; `before` is the value of the situation in which its move was played.
    cdef void credit(self, Tree tree, int32_t edge, double result, double weight, double before,
                     const Simulation* sim) noexcept nogil
