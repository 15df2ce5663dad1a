# The contract of a backup strategy.

from libc.stdint cimport int32_t

from paidia.search.simulation cimport Simulation
from paidia.search.strategy cimport Strategy
from paidia.search.tree cimport Tree

ctypedef struct Path:
    # The nodes of one simulation from the root to the last one in which a move was chosen, and the edges chosen there.
    int length
    int32_t* nodes
    int32_t leaf        # the node after the last of them: new, terminal, proven or at the depth limit; NONE without memory
    int32_t* edges      # of role r at the i-th node: edges[i * n_roles + r], NONE where the role did not act


cdef class Backup(Strategy):
    # What the goals of a simulation that was played to its end count, before anyone learns from them.
    cdef void score(self, Simulation* sim) noexcept nogil
    cdef void update(self, Tree tree, const Path* path, const Simulation* sim) noexcept nogil
