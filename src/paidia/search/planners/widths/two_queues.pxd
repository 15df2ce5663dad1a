# `TwoQueues`: best-first search with a queue by novelty and a queue by reward that take turns.

from libc.stdint cimport int32_t

from paidia.search.planners.widths.breadth_first cimport BreadthFirst
from paidia.search.planners.widths.novelty cimport Novelty


cdef class TwoQueues(BreadthFirst):
    cdef Novelty novelty
    cdef int32_t* heaps[2]      # binary heaps of nodes: by novelty, by reward
    cdef int32_t sizes[2]
    cdef int turn               # whose turn it is

    cdef int32_t take(self, int q) noexcept nogil
