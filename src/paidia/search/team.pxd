# Threads that search together in one tree.

from libc.stdint cimport int64_t

from paidia.search.descent cimport Descent
from paidia.search.statistics.amaf cimport AmafTables
from paidia.search.statistics.ngrams cimport NgramTable
from paidia.search.tree cimport Tree


cdef class Team:
    cdef Tree tree
    cdef AmafTables amaf
    cdef NgramTable ngrams
    cdef int64_t limit, taken           # simulations of all together; 0: no limit
    cdef int max_moves                  # of all roles together
    cdef bint ended                     # something went wrong, or somebody asked: all stop after their present simulation
    cdef int lock
    cdef int running, waiting           # members at work, and those of them that wait for more room
    cdef int64_t rounds                 # how often there was more room

    cdef void work(self, Descent member) noexcept nogil
    cdef bint take(self) noexcept nogil
    cdef bint crowded(self) noexcept nogil
    cdef void wait(self) noexcept nogil
    cdef void make_room(self) noexcept nogil
