# Boolean expressions over planes. A literal is 2 * node, plus 1 where the node is denied; literal 0 is true, 1 false.

from libc.stdint cimport int32_t, uint8_t, uint64_t

from paidia.core.machine.vectors cimport vector

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
