# `BreadthFirst`: a forward search that keeps whole situations. What makes a kind of it is `admit` (which of the
# generated situations are kept) and `push`/`pop` (the order in which those kept are expanded).

from libc.stdint cimport int32_t, int64_t

from paidia.core.model cimport Situation, move_t
from paidia.search.planners.base cimport RootSearch
from paidia.search.nodes.pool cimport KeySet, StatePool


ctypedef struct Node:
    int32_t state           # place in the pool until it is expanded; -1: there was no room
    int32_t parent          # -1: the root
    int32_t depth
    move_t first            # place of the root's action on the way to here
    move_t action           # the last one
    move_t novelty          # for orders that look at it
    move_t expanded
    double value            # X of the situation


cdef class BreadthFirst(RootSearch):
    cdef StatePool pool
    cdef KeySet keys
    cdef Situation parent             # the situation being expanded
    cdef Node* nodes
    cdef int32_t n_nodes
    cdef int32_t max_nodes              # beyond it none is kept any more
    cdef int32_t next_node              # of the queue
    cdef int samples                    # M of safety prepruning
    cdef bint prune_duplicates
    cdef readonly int repeat                   # ticks that an action is held
    cdef move_t* listed                 # the moves of the situation being expanded
    cdef bint roomless                  # a situation is kept even where the pool is full
    # The best situation so far.
    cdef double root_value, best_value
    cdef int best_depth, best_first, n_equal

    # Count immediate losses of each root action; `safe` are those with the fewest.
    cdef void preprune(self) noexcept nogil
    # Forget the last tick and take in the root (which is in `parent`).
    cdef void begin(self) noexcept nogil
    # Whether the situation in `state` is kept; `node` is filled but for its state and what admit itself finds out.
    cdef bint admit(self, Node* node) noexcept nogil
    # A situation was generated, for the choice of the action.
    cdef void consider(self, const Node* node, bint kept) noexcept nogil
    # A node was kept; and the node to expand next, -1 if there is none.
    cdef void push(self, int32_t node) noexcept nogil
    cdef int32_t pop(self) noexcept nogil
    # Bring the situation of a node to `parent`.
    cdef void load(self, int32_t node) noexcept nogil

    cdef bint expand(self, int32_t node) noexcept nogil
    cdef bint generate(self, int32_t origin, int action, int first, int depth) noexcept nogil
