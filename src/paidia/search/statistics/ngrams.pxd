# Mean result of every sequence of up to four consecutive moves.

from libc.stdint cimport int64_t, uint64_t

from paidia.core.model cimport move_t
from paidia.search.frame.simulation cimport Simulation

cdef enum:
    MAX_N = 4

ctypedef struct Ngram:
    uint64_t key        # 0 marks an empty slot
    uint64_t home       # where it would like to stand in an endless table
    double visits
    double sum


cdef class NgramTable:
    cdef Ngram* slots
    cdef uint64_t mask      # number of slots - 1
    cdef uint64_t used
    cdef readonly int longest
    cdef readonly int shortest      # shorter ones are not kept here
    cdef int64_t memory             # bytes, at most
    cdef bint short_of              # there was a wish for more
    # Several threads count here now: the slots stay where they are until all wait. Two that count the same sequence at the same
    # moment may count it once.
    cdef bint shared
    cdef int crowded

    # What came before a move of `role` at `step`: contexts[n - 1] stands for the n - 1 moves before it; returns how many
    # N-grams can end there.
    cdef int contexts(self, const Simulation* sim, int step, int role, uint64_t* contexts) noexcept nogil
    cdef const Ngram* find(self, uint64_t context, move_t move) noexcept nogil
    cdef Ngram* claim(self, uint64_t context, move_t move) noexcept nogil
    cdef Ngram* claim_shared(self, uint64_t context, move_t move) noexcept nogil
    cdef void update(self, const Simulation* sim) noexcept nogil
    # Multiply visits and sums, unrounded; what has less than half a visit left is forgotten.
    cdef void fade(self, double factor) noexcept nogil
    cdef bint grow(self) noexcept nogil
    cdef void _move_to(self, Ngram* slots, uint64_t mask) noexcept nogil
