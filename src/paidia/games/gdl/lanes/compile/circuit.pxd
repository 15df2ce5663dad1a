# Boolean expressions over planes. A literal is 2 * node, plus 1 where the node is denied; literal 0 is true, 1 false.

from libc.stdint cimport int32_t, uint8_t, uint64_t

from paidia.core.machine.vectors cimport vector
from paidia.games.gdl.net.net cimport Net

cdef enum Kind:
    CONSTANT = 0
    INPUT = 1
    LOOP = 2        # part of a least fixpoint; `a` is its number
    AND = 3
    XOR = 4
    XOR3 = 5
    MAJORITY = 6
    SELECT = 7      # a ? b : c


cdef class Circuit:
    cdef vector[uint8_t] kind
    cdef vector[int32_t] a, b, c
    cdef vector[int32_t] table              # hash table of nodes
    cdef size_t n_hashed
    cdef vector[int32_t] loop_node          # by number of the loop
    cdef vector[int32_t] definition         # by number: literal
    cdef vector[int32_t] loop_group         # by number: loops of one group depend on each other; groups are in order
    cdef int32_t n_groups, most             # most nodes
    cdef vector[uint64_t] seen              # by node: in which of up to 64 positions it held, as far as inputs were told
    cdef readonly int positions             # how many those are
    cdef vector[uint8_t] known              # by node, as far as it goes: 1 + what is taken for granted of it, 0 if nothing is

    cdef int32_t node(self, int kind, int32_t a, int32_t b, int32_t c)
    cdef void grow(self)
    cdef int32_t granted(self, int32_t literal) noexcept nogil
    cdef uint64_t seen_of(self, int32_t literal) noexcept nogil
    cdef bint never_seen(self, vector[size_t]& literals) noexcept nogil
    cpdef int32_t both(self, int32_t x, int32_t y)
    cpdef int32_t either(self, int32_t x, int32_t y)
    cpdef int32_t differ(self, int32_t x, int32_t y)
    cpdef int32_t odd(self, int32_t x, int32_t y, int32_t z)
    cpdef int32_t majority(self, int32_t x, int32_t y, int32_t z)
    cpdef int32_t select(self, int32_t which, int32_t x, int32_t y)


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
