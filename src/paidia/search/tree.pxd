# The search tree: a transposition table of positions as flat arrays, which numpy can look at, save and compare.

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

from paidia.core.game cimport State
from paidia.search.statistics.amaf cimport AmafTables

cdef enum:
    NONE = -1

ctypedef packed struct Node:
    uint64_t key        # the position
    int64_t amaf        # handle of its AMAF table
    int32_t first       # its first edge; NONE until the node is visited for the second time
    int32_t visits      # simulations in which a move was chosen here
    int32_t stamp       # step of the game in which it was last visited
    int8_t mover        # the role that acts, -1 where several do
    uint8_t terminal
    uint8_t unused[2]


cdef class Tree:
    cdef readonly int n_roles
    cdef readonly bint squares      # whether the sum of squared results is kept as well
    cdef Node* nodes
    cdef int32_t* counts            # edges of role r at a node: [node * n_roles + r]; a role's edges follow the last role's
    cdef readonly int32_t n_nodes
    cdef int32_t node_capacity
    cdef int32_t* slots             # open addressing: position -> node
    cdef uint64_t slot_mask
    # An edge is one move of one role at one node.
    cdef int32_t* edge_move
    cdef int32_t* edge_visits
    cdef int32_t* edge_child        # where the move leads if its role acts alone, else NONE
    cdef double* edge_sum           # sum of the role's results
    cdef double* edge_square        # sum of their squares, or NULL
    cdef readonly int32_t n_edges
    cdef int32_t edge_capacity
    cdef bint full                  # out of memory: the tree stays as it is, simulations go on

    cdef int32_t find(self, uint64_t key) noexcept nogil
    cdef int32_t add_node(self, State state, uint64_t key, int32_t step) noexcept nogil
    cdef bint expand(self, int32_t node, State state) noexcept nogil
    cdef bint _grow_nodes(self) noexcept nogil
    cdef bint _grow_edges(self, int32_t needed) noexcept nogil
    cdef bint _rebuild_slots(self, uint64_t mask) noexcept nogil
