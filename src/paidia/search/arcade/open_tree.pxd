# The tree of an open-loop search: nodes stand for sequences of actions, not for situations. Records in one array,
# a parent always before its children; it grows between simulations and shrinks to a subtree between ticks.

from libc.stdint cimport int32_t, uint8_t

from paidia.core.arcade cimport N_ACTIONS
from paidia.core.model cimport move_t

cdef enum:
    NONE = -1
    ROOT = 0

cdef enum:              # marks of a node
    UNSAFE = 1          # left out in this tick: other actions led to fewer losses
    NOT_NOVEL = 2       # left out of selection while the parent looks safe
    TESTED = 4          # the novelty of its children was tested

ctypedef struct OpenNode:
    double visits       # a share of a visit is left where old statistics have faded
    double total        # sum of the results of the simulations through this node
    double value        # estimate by temporal differences
    double low          # lowest and highest of these results
    double high
    int32_t parent
    int32_t child[N_ACTIONS]
    int32_t waiting     # newest of the states that wait for a simulation through this node
    int32_t memory      # atoms seen in the tests of its children
    move_t action       # that leads here
    uint8_t marks


cdef class OpenTree:
    cdef OpenNode* nodes
    cdef readonly int32_t size
    cdef int32_t capacity
    cdef readonly int32_t limit         # more nodes are never made; simulations go on without adding
    cdef int32_t* place                 # where a node moves to

    cdef void clear(self) noexcept nogil                # a root alone
    # Room for so many more nodes, unless the limit or the memory ends: called between simulations.
    cdef void reserve(self, int32_t more) noexcept nogil
    cdef int32_t add(self, int32_t parent, int action) noexcept nogil       # NONE where there is no room
    # Make a node the root, drop what is not below it, and multiply visits and totals.
    cdef void keep(self, int32_t root, double factor) noexcept nogil


cdef inline double mean(const OpenNode* node) noexcept nogil:
    return node.total / node.visits if node.visits > 0 else 0.0


cdef inline void count(OpenNode* node, double result, double weight) noexcept nogil:
    """A result passes a node."""
    node.visits += weight
    node.total += weight * result
    if result < node.low:
        node.low = result
    if result > node.high:
        node.high = result
