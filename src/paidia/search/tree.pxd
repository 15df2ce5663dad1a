# The search tree: a transposition table of positions as flat arrays, which numpy can look at, save and compare.

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t

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
    uint16_t n_edges    # legal moves of all roles together
    int8_t mover        # the role that acts, -1 where several do
    uint8_t terminal

ctypedef struct Edge:
    # One move of one role at one node. What selection reads stands together: a deep tree does not fit into the cache.
    double sum          # of the role's results
    int32_t visits
    int32_t child       # where the move leads if its role acts alone, else NONE
    int32_t move
    int32_t role


cdef class Tree:
    cdef readonly int n_roles
    cdef readonly bint keep_squares
    cdef readonly bint keep_bounds
    cdef Node* nodes
    cdef readonly int32_t n_nodes
    cdef int32_t node_capacity
    cdef int32_t* slots             # open addressing: position -> node
    cdef uint64_t slot_mask
    cdef Edge* edges                # a node's edges in the order of its roles, each in generation order
    cdef double* squares            # sum of squared results of every edge, or NULL
    cdef readonly int32_t n_edges
    cdef int32_t edge_capacity
    # What is proven of each node, or NULL: role r reaches at least bounds[(node * n_roles + r) * 2], at most the next.
    cdef float* bounds
    cdef bint full                  # out of memory: the tree stays as it is, simulations go on

    cdef int32_t find(self, uint64_t key) noexcept nogil
    cdef int32_t add_node(self, State state, uint64_t key, int32_t step) noexcept nogil
    cdef bint expand(self, int32_t node, State state) noexcept nogil
    cdef bint proven(self, int32_t node) noexcept nogil
    cdef bint tight(self, int32_t node) noexcept nogil
    cdef void rebound(self, int32_t node, bint zero_sum) noexcept nogil
    cdef int open_moves(self, int32_t node, int role, int32_t first, int n, int* open) noexcept nogil
    cdef bint _grow_nodes(self) noexcept nogil
    cdef bint _grow_edges(self, int32_t needed) noexcept nogil
    cdef bint _rebuild_slots(self, uint64_t mask) noexcept nogil
