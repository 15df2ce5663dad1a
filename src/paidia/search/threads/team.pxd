# Threads that search together in one tree.

from libc.stdint cimport int32_t, int64_t

from paidia.search.descent cimport Descent
from paidia.search.statistics.amaf cimport AmafTables
from paidia.search.statistics.ngrams cimport NgramTable
from paidia.search.nodes.tree cimport Tree


cdef class Team:
    cdef Tree tree
    cdef AmafTables amaf
    cdef NgramTable ngrams
    cdef int64_t limit, taken           # simulations of all together; 0: no limit
    cdef int max_moves                  # of all roles together
    cdef int32_t edges                  # that there should be room for
    cdef bint ended                     # something went wrong, or somebody asked: all stop after their present simulation
    cdef int lock
    cdef int running, waiting           # members at work, and those of them that wait for more room
    cdef int64_t rounds                 # how often there was more room
    cdef int led                        # the leader has begun (1), or it has left (2)

    cdef void work(self, Descent member) noexcept nogil
    cdef bint take(self) noexcept nogil
    cdef void finish(self, Descent member) noexcept nogil
    cdef bint crowded(self) noexcept nogil
    cdef void wait(self) noexcept nogil
    cdef void give_up(self) noexcept nogil
    cdef void make_room(self) noexcept nogil
