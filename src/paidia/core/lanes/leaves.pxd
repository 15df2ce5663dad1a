# `Leaves`: random games from many positions at once, for rules that can play them faster together than one after the other.
#
#     leaves.begin(64)                    # room for up to 64 positions
#     leaves.put(0, state) ...            # each in a place of its own
#     leaves.play(n, limit, 0.0)          # from the first n of them to the end, or for `limit` joint moves
#     leaves.results(0, goals)            # the mean goals of the games from one of them

from libc.stdint cimport uint64_t

from paidia.core.model cimport Situation


cdef class Leaves:
    cdef readonly int most              # positions at most; each is played from more often the fewer there are
    cdef readonly double lasted         # seconds of the games of a wave, as far as waves have told; 0: there was none
    cdef readonly double aside          # .. and of all else, for each of its simulations
    cdef int passed, patience           # searches without waves, for want of time; after how many one is tried again
    cdef bint ended                     # whether all games last played came to their end

    cdef void forget(self) noexcept nogil                       # what was learned in another game
    cdef void seed(self, uint64_t seed) noexcept nogil
    cdef void begin(self, int places) noexcept nogil
    cdef void put(self, int place, Situation state) noexcept nogil
    # Whether there are results: not if the time has come (by the clock of searches; 0: whenever it is done).
    cdef bint play(self, int n, int limit, double deadline) noexcept nogil
    cdef void results(self, int place, double* goals) noexcept nogil
    # Seconds that a wave of so many positions will take.
    cdef double expected(self, int places) noexcept nogil
    # So long took the games of a wave, and all else for each of its simulations.
    cdef void took(self, double lasted, double aside) noexcept nogil
    # Whether there is time for a wave of so many positions that takes so long at most, or for finding that out anew.
    cdef bint fit(self, int places, double most) noexcept nogil
