# Nets as Boolean expressions over planes.

from libc.stdint cimport int32_t

from paidia.core.machine.vectors cimport vector
from paidia.games.gdl.lanes.compile.circuit cimport Circuit
from paidia.games.gdl.net.net cimport Net


cdef class Embedding:
    # A net in a circuit, as far as it has been asked for, under what its fluents and moves were said to be.
    cdef Circuit circuit
    cdef Net net
    cdef vector[int32_t] image      # by node of the net: literal of the circuit, or -1
    cdef vector[int32_t] readers    # by literal of the net: how many gates read it
    cdef bint assuming              # what the circuit takes for granted counts
    # By node of the net: the moves of which it says that none is made, if that is all it says.
    cdef vector[vector[int32_t]] none_of
    cdef vector[vector[int32_t]] possible   # by role: moves that are not known to be not made

    cdef bint about_moves(self, int32_t literal) noexcept nogil
    cdef void find_moves(self)
    cdef void add_moves(self, int32_t node, vector[int32_t]& moves)
    cdef bint spare_moves(self, int32_t node, vector[int32_t]& literals)

    cdef int32_t embed(self, int32_t literal) except -1
    cdef int open_loops(self, int32_t group) except -1
