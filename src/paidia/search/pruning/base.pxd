# The contract of a pruning strategy. What is left out is marked at the edges of the tree (tree.pxd): the marks of all
# strategies hold together, and where nothing would be left, the marks of the highest value are ignored first.

from libc.stdint cimport int32_t

from paidia.core.model cimport move_t
from paidia.search.frame.simulator cimport Simulator
from paidia.search.frame.strategy cimport Strategy


cdef class Pruning(Strategy):
    cdef Simulator search

    # The tree of a new search is there: it was made anew, or part of an old one was kept.
    cdef void tree_changed(self, bint kept) noexcept nogil
    # Between simulations: make room.
    cdef void reserve(self) noexcept nogil
    # A simulation has come to a node with all its children: look at them. The search's `state` is the node's situation.
    cdef void enter(self, int32_t node, const move_t* moves, int n) noexcept nogil
    # The marks that leave a move out at this node now.
    cdef int marks_at(self, int32_t node) noexcept nogil
