# Novelty-based pruning: the children of a node are compared with their neighbourhood the first time that a simulation
# passes the node when all of them exist.

from libc.stdint cimport int32_t

from paidia.search.planners.widths.atoms cimport Atoms
from paidia.search.pruning.base cimport Pruning


cdef class NoveltyPruning(Pruning):
    cdef Atoms atoms
    cdef bint lost_is_stale, end_is_novel, keep_better      # the options
    cdef bint sprites               # a video game: its avatar may be excused
    cdef int32_t* read              # atoms of a situation and its followers, one after the other
    cdef int* ends                  # of the atoms of each situation in `read`, the present one first
    cdef int* better                # of each follower: novel whatever it shows, as the score is higher
    cdef int* lost                  # ... or not novel whatever it shows
    cdef int32_t* edges             # that lead to them
    cdef int32_t* arena             # memories of nodes: number of slots, then a table of atoms (planners/widths/novelty.pxd)
    cdef int32_t* other             # where memories that are still needed move to between searches
    cdef int32_t used, room
    cdef int32_t needed             # more room than there was

    cdef void release(self) noexcept
    cdef bint known_above(self, int32_t node, const int32_t* atoms, int n) noexcept nogil
    cdef void mark_parents(self, int32_t node) noexcept nogil
