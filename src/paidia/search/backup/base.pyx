"""The base of backup strategies."""

from paidia.search.simulation cimport Simulation
from paidia.search.strategy cimport Strategy
from paidia.search.tree cimport Tree


cdef class Backup(Strategy):
    """Enters the result of a simulation into the nodes and edges of its path."""

    cdef void score(self, Simulation* sim) noexcept nogil:
        pass

    cdef void update(self, Tree tree, const Path* path, const Simulation* sim) noexcept nogil:
        pass
