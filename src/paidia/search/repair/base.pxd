# The contract of a repair strategy.

from paidia.search.frame.simulator cimport Simulator
from paidia.search.frame.strategy cimport Strategy


cdef class Repair(Strategy):
    cdef Simulator search

    # A playout has ended in a situation of this value: may it stand? If not, change the simulation, let the tree grow by it
    # (`Simulator.grow`), put its result into `result` and say True.
    cdef bint mend(self, double value, double* result) noexcept nogil
