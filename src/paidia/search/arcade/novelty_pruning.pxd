# Novelty-based pruning: the children of a node are compared with their neighbourhood the first time that a simulation
# passes the node when all of them exist.

from libc.stdint cimport int32_t

from paidia.core.arcade cimport ArcadeGame
from paidia.core.model cimport move_t
from paidia.search.arcade.open_loop cimport OpenLoop
from paidia.search.arcade.open_tree cimport OpenTree
from paidia.search.width.atoms cimport Atoms


cdef class NoveltyPruning:
    cdef Atoms atoms
    cdef int32_t* read              # atoms of a situation and its followers, one after the other
    cdef int32_t* arena             # memories of nodes: number of slots, then a table of atoms (width/novelty.pxd)
    cdef int32_t* other             # where memories that are still needed move to between ticks
    cdef int32_t used, room
    cdef int32_t needed             # more room than there was

    # Test the children of a node; the search's `state` is the present situation of the node.
    cdef void test(self, OpenLoop search, int32_t node, const move_t* actions, int n) noexcept nogil
    cdef void reserve(self) noexcept nogil              # between simulations
    cdef void keep(self, OpenTree tree) noexcept nogil  # only the memories of nodes of the tree are still needed
    cdef bint known_above(self, OpenLoop search, int32_t node, const int32_t* atoms, int n) noexcept nogil
