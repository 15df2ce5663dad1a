# The contract of a root strategy: what a tree search does before its first simulation.

from paidia.search.frame.simulator cimport Simulator
from paidia.search.frame.strategy cimport Strategy


cdef class RootStrategy(Strategy):
    cdef Simulator search

    # Before there is a tree: look at the game. `spare` and `state` of the search may be used.
    cdef void look(self) noexcept nogil
    # The tree is there, and the evaluation knows the root: plant something in it.
    cdef void plant(self) noexcept nogil
