# IW(i): breadth-first search that keeps only situations with something new in them.

from paidia.search.planners.widths.breadth_first cimport BreadthFirst
from paidia.search.planners.widths.novelty cimport Novelty


cdef class IteratedWidth(BreadthFirst):
    cdef Novelty novelty
    cdef int level              # of novelty that is enough
