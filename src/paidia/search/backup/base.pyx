# distutils: extra_compile_args = -O1
"""The base of backup strategies."""

from libc.stdint cimport int32_t

from paidia.search.simulation cimport Path, Simulation
from paidia.search.strategy cimport Strategy
from paidia.search.tree cimport Tree, count


cdef class Backup(Strategy):
    """Enters the result of a simulation into the nodes and edges of its path."""

    cdef void score(self, Simulation* sim) noexcept nogil:
        pass

    cdef void update(self, Tree tree, const Path* path, const Simulation* sim) noexcept nogil:
        pass

    cdef void credit(self, Tree tree, int32_t edge, double result, double weight, double before,
                     const Simulation* sim) noexcept nogil:
        count(tree, edge, result, weight)
