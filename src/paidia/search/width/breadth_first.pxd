# `BreadthFirst`: a forward search that keeps whole situations. What makes a kind of it is `admit` (which of the
# generated situations are kept) and `push`/`pop` (the order in which those kept are expanded).

from libc.stdint cimport int8_t, int32_t, int64_t

from paidia.core.arcade cimport N_ACTIONS, ArcadeState
from paidia.search.arcade.base cimport ArcadeSearch
from paidia.search.width.pool cimport KeySet, StatePool

cdef enum:
    MAX_NODES = 1 << 17     # situations kept in one tick; beyond it none is kept any more


ctypedef struct Node:
    int32_t state           # place in the pool until it is expanded
    int32_t depth
    int8_t first            # place of the root's action on the way to here
    int8_t novelty          # for orders that look at it
    int8_t expanded
    double value            # X of the situation


cdef class BreadthFirst(ArcadeSearch):
    cdef StatePool pool
    cdef KeySet keys
    cdef ArcadeState state              # the situation generated last
    cdef ArcadeState parent             # the situation being expanded
    cdef Node* nodes
    cdef int32_t n_nodes
    cdef int32_t next_node              # of the queue
    cdef int samples                    # M of safety prepruning
    cdef bint prune_duplicates
    # At the root, by place in the avatar's list of actions.
    cdef int8_t actions[N_ACTIONS]
    cdef int n_actions
    cdef int64_t tries[N_ACTIONS]       # of safety prepruning
    cdef int64_t losses[N_ACTIONS]
    cdef bint safe[N_ACTIONS]
    cdef int64_t generated[N_ACTIONS]
    cdef double best_below[N_ACTIONS]
    # The best situation so far.
    cdef double root_value, best_value
    cdef int best_depth, best_first, n_equal

    # Count immediate losses of each root action; `safe` are those with the fewest.
    cdef void preprune(self) noexcept nogil
    # Forget the last tick and take in the root (which is in `parent`).
    cdef void begin(self) noexcept nogil
    # Whether the situation in `state` is kept; `node` is filled but for what admit itself knows.
    cdef bint admit(self, Node* node) noexcept nogil
    # A node was kept; and the node to expand next, -1 if there is none.
    cdef void push(self, int32_t node) noexcept nogil
    cdef int32_t pop(self) noexcept nogil

    cdef bint expand(self, int32_t node) noexcept nogil
    cdef bint generate(self, int32_t origin, int action, int first, int depth) noexcept nogil
    cdef void consider(self, double value, int depth, int first, bint kept) noexcept nogil
