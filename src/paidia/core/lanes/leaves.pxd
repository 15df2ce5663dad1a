# `Leaves`: random games from many positions at once, for rules that can play them faster together than one after the other.
#
#     leaves.begin(64)                    # room for up to 64 positions
#     leaves.put(0, state) ...            # each in a place of its own
#     leaves.play(n, limit)               # from the first n of them to the end, or for `limit` joint moves
#     leaves.results(0, goals)            # the mean goals of the games from one of them

from libc.stdint cimport uint64_t

from paidia.core.model cimport Situation


cdef class Leaves:
    cdef readonly int most              # positions at most; each is played from more often the fewer there are

    cdef void forget(self) noexcept nogil                       # what was learned in another game
    cdef void seed(self, uint64_t seed) noexcept nogil
    cdef void begin(self, int places) noexcept nogil
    cdef void put(self, int place, Situation state) noexcept nogil
    cdef bint play(self, int n, int limit) noexcept nogil       # whether all games came to their end
    cdef void results(self, int place, double* goals) noexcept nogil
