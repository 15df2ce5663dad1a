# The search tree as flat arrays, which numpy can look at, save and compare. Its nodes stand for positions (a transposition
# table: two ways to the same position share one node), or for sequences of moves, whatever chance makes of them.

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t

from paidia.core.machine.atomic cimport add_double
from paidia.core.model cimport Situation, move_t
from paidia.search.nodes.room cimport APART, Room
from paidia.search.frame.scale cimport on_scale
from paidia.search.frame.simulation cimport Simulation
from paidia.search.statistics.amaf cimport NO_AMAF

cdef enum:
    NONE = -1
    UNUSED = -1         # stamp of a node that a thread has taken and not used: it is none

cdef enum:              # marks of a node, kept at the edge that leads to it
    UNSAFE = 1          # left out in this search: other moves led to fewer losses
    NOT_NOVEL = 2       # left out of selection while its parent looks safe
    TESTED = 4          # the novelty of its children was tested

ctypedef struct Node:
    uint64_t key        # the position, or the sequence
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

ctypedef struct SequenceEdge:
    # What an edge has besides in a tree of sequences.
    double weight       # its visits, of which a share is left where old statistics have faded
    double low          # lowest and highest of its results
    double high
    double estimate     # value by temporal differences
    int32_t marks

ctypedef struct SequenceNode:
    int32_t parent
    int32_t incoming    # the edge that leads to it; NONE where several roles' moves do
    int32_t waiting     # newest of the situations that wait for a simulation through it
    int32_t memory      # atoms seen in the tests of its children


cdef class Tree:
    cdef readonly int n_roles
    cdef readonly bint sequences
    cdef readonly bint keep_weights
    cdef readonly bint decisive     # nodes have edges for what Situation.c_decisive leaves of the legal moves
    cdef readonly bint keep_squares
    cdef readonly bint keep_bounds
    cdef readonly bint keep_estimates
    cdef Node* nodes
    cdef int32_t node_capacity
    cdef readonly int32_t limit     # more nodes are never made; simulations go on without adding
    cdef int32_t* slots             # open addressing: key -> node
    cdef uint64_t slot_mask
    cdef Edge* edges                # a node's edges in the order of its roles, each in generation order
    cdef double* squares            # sum of squared results of every edge, or NULL
    cdef int32_t edge_capacity
    # What is proven of each node, or NULL: role r reaches at least bounds[(node * n_roles + r) * 2], at most the next.
    cdef float* bounds
    cdef readonly bint full         # out of memory: the tree stays as it is, simulations go on
    cdef Room room
    # Several threads search here now: visits are counted on the way down (a loss until the result is there), arrays stay where
    # they are until all wait (see sharing.pxd).
    cdef bint shared
    cdef int crowded
    # Many simulations write these: they must not slow down who reads the others.
    cdef int32_t apart[APART]
    cdef readonly int32_t n_nodes
    cdef readonly int32_t n_edges
    cdef int32_t apart_too[APART]
    cdef object looking             # weak reference to the snapshot that somebody looks at, or None

    # Of sequences alone, else NULL. The first `front` edges are a scratch pad, the next one leads to the root.
    cdef readonly int32_t front
    cdef SequenceNode* node_more
    cdef SequenceEdge* edge_more    # only where some strategy needs more than whole visits and sums
    cdef Edge* spare_edges          # where edges move to when a part of the tree is kept
    cdef SequenceEdge* spare_more
    cdef int32_t spare_capacity

    cdef int32_t find(self, uint64_t key) noexcept nogil
    cdef int32_t add_node(self, Situation state, uint64_t key, int32_t step) noexcept nogil
    cdef bint expand(self, int32_t node, Situation state) noexcept nogil

    # Of sequences. A node for what an edge leads to, or the root (edge NONE); NONE where there is no room.
    cdef int32_t add_sequence(self, int32_t node, int32_t edge, uint64_t key, bint listed) noexcept nogil
    # The same behind a move of the one role at a node that has no edges yet: what a playout leaves behind, move after move.
    cdef int32_t extend(self, int32_t node, move_t move, uint64_t key) noexcept nogil
    # The edge of a role's move at a node, made if need be; NONE where there is no room.
    cdef int32_t edge_of(self, int32_t node, int role, move_t move) noexcept nogil
    # Give a node edges for these moves, in their order.
    cdef bint adopt(self, int32_t node, int role, const move_t* moves, int n) noexcept nogil
    # Copy an edge with all that belongs to it.
    cdef void copy_edge(self, int32_t to, int32_t origin) noexcept nogil

    cdef void move_edge(self, int32_t to, int32_t origin) noexcept nogil
    cdef void clear_edge(self, int32_t edge, int role, move_t move) noexcept nogil
    # Of threads: room for as many nodes and edges; whether it is there.
    cdef bint make_room(self, int32_t nodes, int32_t edges) noexcept nogil
    cdef void expect(self, int32_t nodes, int32_t edges) noexcept nogil
    cdef bint _grow_nodes(self) noexcept nogil
    cdef bint _grow_edges(self, int32_t needed) noexcept nogil
    cdef bint _rebuild_slots(self, uint64_t mask) noexcept nogil
    cdef int64_t _bounds(self, int64_t nodes) noexcept nogil


cdef inline void new_position(Tree tree, int32_t node, Situation state, uint64_t key, int32_t step) noexcept nogil:
    """Fill the record of a node that stands for a position."""
    cdef Node* new = &tree.nodes[node]
    cdef int role
    new.key = key
    new.amaf = NO_AMAF
    new.first = NONE
    new.n_edges = 0
    new.visits = 0
    new.stamp = step
    new.terminal = state.c_terminal()
    new.mover = -1 if new.terminal else state.c_mover()
    if tree.keep_bounds:
        for role in range(tree.n_roles):
            tree.bounds[(<int64_t>node * tree.n_roles + role) * 2] = 0.0
            tree.bounds[(<int64_t>node * tree.n_roles + role) * 2 + 1] = 1.0


cdef inline bint fits(Tree tree, int32_t node, const move_t* moves, int n) noexcept nogil:
    """Whether the edges of a node are just these moves."""
    cdef const Edge* edges = tree.edges + tree.nodes[node].first
    cdef int i
    if tree.nodes[node].n_edges != n:
        return False
    for i in range(n):
        if edges[i].move != moves[i]:
            return False
    return True


cdef inline double tries(Tree tree, int32_t edge) noexcept nogil:
    """How often a move was tried."""
    return tree.edge_more[edge].weight if tree.edge_more != NULL else <double>tree.edges[edge].visits


cdef inline double node_visits(Tree tree, int32_t node) noexcept nogil:
    """How often a node was visited."""
    if tree.node_more != NULL and tree.node_more[node].incoming != NONE:
        return tries(tree, tree.node_more[node].incoming)
    return <double>tree.nodes[node].visits


cdef inline double mean_of(Tree tree, int32_t edge) noexcept nogil:
    """The mean result of a move, 0 without any."""
    cdef double visits = tries(tree, edge)
    return tree.edges[edge].sum / visits if visits > 0 else 0.0


cdef inline double quality(Tree tree, int32_t edge, double visits, const Simulation* sim) noexcept nogil:
    """Q of a move with so many visits, in [0, 1]: its mean result, or what a backup estimates instead."""
    if not sim.scaled:
        return tree.edges[edge].sum / visits
    if not tree.keep_estimates:
        return on_scale(&sim.bounds, tree.edges[edge].sum / visits)
    # An estimate says how much better than here; it may leave the scale of the results and is cut at its ends.
    return min(1.0, max(0.0, on_scale(&sim.bounds, tree.edge_more[edge].estimate + sim.values[sim.length])))


cdef inline double worth(Tree tree, int32_t edge, double quality, const Simulation* sim) noexcept nogil:
    """What a move is worth without exploration: its quality, in a game without chance mixed with its highest result."""
    if sim.mixmax == 0.0:
        return quality
    return (1 - sim.mixmax) * quality + sim.mixmax * on_scale(&sim.bounds, tree.edge_more[edge].high)


cdef inline void visit(Tree tree, int32_t node) noexcept nogil:
    """A simulation in which a move was chosen at a node; threads have counted it on the way down."""
    if not tree.shared:
        tree.nodes[node].visits += 1


cdef inline bint plain(Tree tree) noexcept nogil:
    """Whether a result that passes an edge is one visit and its sum more, and nothing besides."""
    return not tree.shared and tree.edge_more == NULL and tree.squares == NULL


cdef inline void count(Tree tree, int32_t edge, double result, double weight) noexcept nogil:
    """A result passes an edge; whole visits of positions need no weight."""
    cdef Edge* record = &tree.edges[edge]
    cdef SequenceEdge* more
    if tree.shared:
        add_double(&record.sum, result)
        if tree.squares != NULL:
            add_double(&tree.squares[edge], result * result)
        return
    record.visits += 1
    record.sum += weight * result
    if tree.edge_more != NULL:
        more = &tree.edge_more[edge]
        more.weight += weight
        if result < more.low:
            more.low = result
        if result > more.high:
            more.high = result
    if tree.squares != NULL:
        tree.squares[edge] += result * result
