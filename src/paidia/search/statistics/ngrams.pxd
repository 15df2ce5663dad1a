# Mean result of every sequence of up to four consecutive moves.

from libc.stdint cimport uint64_t

from paidia.core.game cimport move_t
from paidia.search.simulation cimport Simulation

cdef enum:
    MAX_N = 4

ctypedef struct Ngram:
    uint64_t key        # 0 marks an empty slot
    double visits
    double sum


cdef class NgramTable:
    cdef Ngram* slots
    cdef uint64_t mask      # number of slots - 1
    cdef uint64_t used
    cdef readonly int longest

    # The N-grams that end with a move of `role` at `step`: keys[0] is the move alone; returns how many there are.
    cdef int keys(self, const Simulation* sim, int step, int role, move_t move, uint64_t* keys) noexcept nogil
    cdef const Ngram* find(self, uint64_t key) noexcept nogil
    cdef void update(self, const Simulation* sim) noexcept nogil
    cdef void grow(self) noexcept nogil
    cdef void _insert(self, uint64_t key, double visits, double total) noexcept nogil
