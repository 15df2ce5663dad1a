# What several threads do to one tree of positions and its AMAF tables at once.
#
# Arrays stay where they are as long as anybody simulates: a thread that finds little room says so, and they grow once all wait
# between two simulations (`team.pyx`). New nodes and edges take the next free numbers; whoever finds no room does without. A node
# is entered among the slots when it is complete, its edges are seen when they are complete. Visits are counted on the way down: a
# move that another thread tries looks lost as long as its result is not there (virtual loss), so that threads part.

from libc.stdint cimport int32_t, uint16_t, uint64_t

from paidia.core.atomic cimport acquire, add, get, put, put_long, release, replace
from paidia.core.model cimport Situation, move_t
from paidia.search.room cimport APART, LOCKS, crowd
from paidia.search.simulation cimport Path, Simulation
from paidia.search.statistics.amaf cimport NO_AMAF, AmafTables
from paidia.search.tree cimport NONE, Tree, new_position

cdef enum:
    NODES_LEFT = 256        # fewer free ones are few
    EDGES_LEFT = 1 << 11
    MOST_MOVES = 65535      # a node counts its edges in 16 bits


cdef inline void foresee(Tree tree, int32_t node, const int32_t* chosen, int n_roles) noexcept nogil:
    """A simulation goes through a node and the edges that were chosen there."""
    cdef int role
    add(&tree.nodes[node].visits, 1)
    for role in range(n_roles):
        if chosen[role] != NONE:
            add(&tree.edges[chosen[role]].visits, 1)


cdef inline void take_back(Tree tree, const Path* path, int n_roles) noexcept nogil:
    """The simulation was cut short: it has no result."""
    cdef int i, role
    for i in range(path.length):
        add(&tree.nodes[path.nodes[i]].visits, -1)
        for role in range(n_roles):
            if path.edges[i * n_roles + role] != NONE:
                add(&tree.edges[path.edges[i * n_roles + role]].visits, -1)


cdef inline int32_t add_shared(Tree tree, Situation state, uint64_t key, int32_t step) noexcept nogil:
    """The node of a position, made if there is none; NONE if there is no room."""
    cdef uint64_t at
    cdef int32_t node
    cdef int* lock = &tree.locks[key % LOCKS * APART]
    if tree.full or get(&tree.n_nodes) >= tree.limit:
        return NONE
    acquire(lock)
    node = tree.find(key)       # another thread may have been faster
    if node == NONE:
        node = add(&tree.n_nodes, 1)
        if node + NODES_LEFT >= tree.node_capacity or 2 * <uint64_t>(node + NODES_LEFT) > tree.slot_mask:
            crowd(&tree.crowded)
        if node >= tree.node_capacity:
            add(&tree.n_nodes, -1)
            release(lock)
            return NONE
        new_position(tree, node, state, key, step)
        at = key & tree.slot_mask
        while not replace(&tree.slots[at], NONE, node):
            at = (at + 1) & tree.slot_mask
    release(lock)
    return node


cdef inline bint expand_shared(Tree tree, int32_t node, Situation state, AmafTables amaf, const Simulation* sim) noexcept nogil:
    """Give a node its edges, if no other thread has; whether it has them."""
    cdef int* lock = &tree.locks[<uint64_t>node % LOCKS * APART]
    cdef bint done = True
    acquire(lock)
    if tree.nodes[node].first == NONE:
        done = edges_of(tree, node, state)
        if done and amaf is not None:
            put_long(&tree.nodes[node].amaf, amaf.unfold(tree.nodes[node].amaf, sim))
    release(lock)
    return done


cdef inline bint edges_of(Tree tree, int32_t node, Situation state) noexcept nogil:
    cdef const move_t* moves = NULL
    cdef int mover = tree.nodes[node].mover, role, i, n, total = 0
    cdef int32_t first, edge
    for role in range(tree.n_roles):
        if mover < 0 or role == mover:
            total += state.c_legal(role, &moves)
    if total > MOST_MOVES:
        return False
    first = edge = add(&tree.n_edges, total)
    if edge + total + EDGES_LEFT > tree.edge_capacity:
        crowd(&tree.crowded)
    if edge + total > tree.edge_capacity:
        add(&tree.n_edges, -total)
        return False
    for role in range(tree.n_roles):
        if mover < 0 or role == mover:
            n = state.c_legal(role, &moves)
            for i in range(n):
                tree.clear_edge(edge, role, moves[i])
                edge += 1
    tree.nodes[node].n_edges = <uint16_t>total
    put(&tree.nodes[node].first, first)
    return True


cdef inline void remember_shared(Tree tree, int32_t leaf, AmafTables amaf, const Simulation* sim) noexcept nogil:
    """A simulation has left the tree at a new node; another thread may have been there as well, and even have gone on."""
    cdef int* lock = &tree.locks[<uint64_t>leaf % LOCKS * APART]
    acquire(lock)
    if tree.nodes[leaf].amaf >= 0:
        amaf.update(tree.nodes[leaf].amaf, sim, sim.tree_length)
    elif tree.nodes[leaf].amaf == NO_AMAF and tree.nodes[leaf].first == NONE:
        put_long(&tree.nodes[leaf].amaf, amaf.remember(sim, sim.tree_length))
    release(lock)
