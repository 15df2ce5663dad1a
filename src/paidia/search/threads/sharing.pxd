# What several threads do to one tree of positions and its statistics at once, without a lock.
#
# Arrays stay where they are as long as anybody simulates: a thread that finds little room says so, and they grow once all wait
# between two simulations (`team.pyx`). A thread takes free numbers of nodes and edges by the handful, fills what it takes, and
# then shows it: a node by a slot of the table of positions, its edges by the number of the first. Who comes second uses what is
# there.
#
# Visits are counted on the way down: a move that another thread tries looks lost as long as its result is not there (virtual
# loss), so that threads part. Where a node has had many visits that changes no choice, and threads would only pass its memory
# back and forth: there each works on a copy of its own (a replica) and compares it with the node now and then. Statistics of
# moves that all simulations change see them some at a time. Measured on 16 cores: without this two threads in one tree were
# slower than one.

from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from libc.string cimport memcpy

from paidia.core.machine.atomic cimport add, add_double, get, put_long, replace, replace_long
from paidia.core.model cimport Situation, move_t, moves_of
from paidia.search.nodes.room cimport crowd
from paidia.search.frame.simulation cimport Path, Simulation
from paidia.search.statistics.amaf cimport NO_AMAF, AmafTables
from paidia.search.nodes.tree cimport NONE, UNUSED, Tree, new_position

cdef enum:
    NODES_LEFT = 128        # fewer free ones are few
    EDGES_LEFT = 1 << 10
    MOST_MOVES = 65535      # a node counts its edges in 16 bits
    NODES_TAKEN = 8         # numbers that a thread takes at a time
    EDGES_TAKEN = 512

cdef enum:
    BUSY = 256              # visits from which on a node is busy, more where there are too many of them
    SHARE = 5               # a thread keeps visits to itself up to the 2^SHARE-th part of those that are known
    REPLICAS = 4096
    COPIES = 1 << 13        # edges of all replicas of a thread
    MOST_COPIED = 512       # of one node
    BATCH = 64              # simulations that a backlog holds

ctypedef struct Synced:
    # What a copy of an edge had in common with the edge when they were last compared.
    int32_t visits
    double sum
    double squares

ctypedef struct Replica:
    # A thread's own copy of the edges of a busy node: what others count is added now and then, and what it counts to theirs.
    int32_t node            # NONE: a free place
    int32_t first           # edge of the copy of its first edge
    int32_t visits          # of this thread, that others do not know

ctypedef struct Backlog:
    int32_t node, last_node         # numbers taken and not used: from the first up to the last
    int32_t edge, last_edge
    int32_t first_copy              # of COPIES edges for replicas; NONE: there are none
    int32_t copies                  # of them in use
    int32_t busy                    # visits from which on a node is busy
    Replica replicas[REPLICAS]      # by number of the node, the next free place
    int n_replicas
    Synced synced[COPIES]
    int32_t* copied                 # on the present path: the replica of each node, NONE where there is none
    int n                           # simulations that statistics of moves have not seen
    Simulation simulations[BATCH]   # with moves of their own
    int32_t* passed                 # busy nodes on their paths: [simulation * depth + i], NONE for others; NULL: none are kept
    int depth


cdef inline void foresee(Tree tree, int32_t node, const int32_t* chosen, int n_roles) noexcept nogil:
    """A simulation goes through a node and the edges that were chosen there."""
    cdef int role
    add(&tree.nodes[node].visits, 1)
    for role in range(n_roles):
        if chosen[role] != NONE:
            add(&tree.edges[chosen[role]].visits, 1)


cdef inline void take_back(Tree tree, const Path* path, int n_roles, const Backlog* backlog) noexcept nogil:
    """The simulation was cut short: it has no result."""
    cdef int i, role
    for i in range(path.length):
        if backlog.copied[i] != NONE:
            continue
        add(&tree.nodes[path.nodes[i]].visits, -1)
        for role in range(n_roles):
            if path.edges[i * n_roles + role] != NONE:
                add(&tree.edges[path.edges[i * n_roles + role]].visits, -1)


# ---------------------------------------------------------------- nodes and edges


cdef inline void leave_unused(Tree tree, int32_t node) noexcept nogil:
    """A node that nothing leads to; the next clearing up of the tree drops it."""
    cdef int role
    tree.nodes[node].key = 0
    tree.nodes[node].amaf = NO_AMAF
    tree.nodes[node].first = NONE
    tree.nodes[node].visits = 0
    tree.nodes[node].stamp = UNUSED
    tree.nodes[node].n_edges = 0
    tree.nodes[node].mover = 0
    tree.nodes[node].terminal = False
    if tree.keep_bounds:
        for role in range(2 * tree.n_roles):
            tree.bounds[<int64_t>node * tree.n_roles * 2 + role] = role & 1


cdef inline int32_t take_node(Tree tree, Backlog* backlog) noexcept nogil:
    """The number of a node that nobody uses, NONE if there is no room; it is taken when `backlog.node` is raised."""
    cdef int32_t first, node
    if backlog.node == backlog.last_node:
        first = add(&tree.n_nodes, NODES_TAKEN)
        if first + NODES_LEFT >= tree.node_capacity or 2 * <uint64_t>(first + NODES_LEFT) > tree.slot_mask:
            crowd(&tree.crowded)
        if first + NODES_TAKEN > min(tree.node_capacity, tree.limit):
            add(&tree.n_nodes, -NODES_TAKEN)
            return NONE
        for node in range(first, first + NODES_TAKEN):
            leave_unused(tree, node)
        backlog.node, backlog.last_node = first, first + NODES_TAKEN
    return backlog.node


cdef inline int32_t add_shared(Tree tree, Situation state, uint64_t key, int32_t step, Backlog* backlog) noexcept nogil:
    """The node of a position, made if there is none; NONE if there is no room."""
    cdef uint64_t at = key & tree.slot_mask
    cdef int32_t node = NONE, there
    if tree.full:
        return NONE
    while True:
        there = get(&tree.slots[at])
        if there == NONE:
            if node == NONE:
                node = take_node(tree, backlog)
                if node == NONE:
                    return NONE
                new_position(tree, node, state, key, step)
            if replace(&tree.slots[at], NONE, node):
                backlog.node += 1
                return node
        elif tree.nodes[there].key == key:      # another thread was faster
            if node != NONE:
                leave_unused(tree, node)
            return there
        else:
            at = (at + 1) & tree.slot_mask


cdef inline int32_t take_edges(Tree tree, int32_t n, Backlog* backlog) noexcept nogil:
    """The first of n edges that nobody uses, NONE if there is no room; they are taken when `backlog.edge` is raised."""
    cdef int32_t taken = max(n, EDGES_TAKEN), edge
    if backlog.edge + n > backlog.last_edge:
        edge = add(&tree.n_edges, taken)
        if edge + taken + EDGES_LEFT > tree.edge_capacity:
            crowd(&tree.crowded)
        if edge + taken > tree.edge_capacity:
            add(&tree.n_edges, -taken)
            return NONE
        backlog.edge, backlog.last_edge = edge, edge + taken
        for edge in range(backlog.edge, backlog.last_edge):
            tree.clear_edge(edge, NONE, NONE)
    return backlog.edge


cdef inline bint expand_shared(
    Tree tree, int32_t node, Situation state, AmafTables amaf, const Simulation* sim, Backlog* backlog
) noexcept nogil:
    """Give a node its edges, if no other thread has; whether it has them."""
    cdef const move_t* moves = NULL
    cdef int mover = tree.nodes[node].mover, role, i, n, total = 0
    cdef int32_t first, edge
    cdef int64_t before, table
    for role in range(tree.n_roles):
        if mover < 0 or role == mover:
            total += moves_of(state, role, tree.decisive, &moves)
    if total > MOST_MOVES:
        return False
    first = edge = take_edges(tree, total, backlog)
    if first == NONE:
        return False
    for role in range(tree.n_roles):
        if mover < 0 or role == mover:
            n = moves_of(state, role, tree.decisive, &moves)
            for i in range(n):
                tree.clear_edge(edge, role, moves[i])
                edge += 1
    tree.nodes[node].n_edges = <uint16_t>total      # all threads write the same here
    if not replace(&tree.nodes[node].first, NONE, first):
        for edge in range(first, first + total):
            tree.clear_edge(edge, NONE, NONE)
        return True
    backlog.edge += total
    if amaf is not None:
        before = tree.nodes[node].amaf
        table = amaf.unfold(before, sim)
        if table >= 0:
            put_long(&tree.nodes[node].amaf, table)
    return True


cdef inline void remember_shared(Tree tree, int32_t leaf, AmafTables amaf, const Simulation* sim) noexcept nogil:
    """A simulation has left the tree at a new node; another thread may have been there as well, and even have gone on."""
    cdef int64_t* handle = &tree.nodes[leaf].amaf
    cdef int64_t mine
    if handle[0] == NO_AMAF:
        mine = amaf.remember(sim, sim.tree_length)
        if replace_long(<uint64_t*>handle, <uint64_t><int64_t>NO_AMAF, <uint64_t>mine):
            return
    if handle[0] >= 0:
        amaf.update(handle[0], sim, sim.tree_length)


# ---------------------------------------------------------------- busy nodes


cdef inline void compare(Tree tree, Replica* replica, Backlog* backlog) noexcept nogil:
    """Add what a thread has counted to the edges of a busy node, and what others have to its copies."""
    cdef int32_t edge = tree.nodes[replica.node].first, copy = replica.first, i
    cdef Synced* synced = backlog.synced + (copy - backlog.first_copy)
    for i in range(tree.nodes[replica.node].n_edges):
        if tree.edges[copy + i].visits != synced[i].visits:
            add(&tree.edges[edge + i].visits, tree.edges[copy + i].visits - synced[i].visits)
            add_double(&tree.edges[edge + i].sum, tree.edges[copy + i].sum - synced[i].sum)
            if tree.squares != NULL:
                add_double(&tree.squares[edge + i], tree.squares[copy + i] - synced[i].squares)
        refresh(tree, edge + i, copy + i, &synced[i])
    if replica.visits:
        add(&tree.nodes[replica.node].visits, replica.visits)
    replica.visits = 0


cdef inline void refresh(Tree tree, int32_t edge, int32_t copy, Synced* synced) noexcept nogil:
    tree.edges[copy] = tree.edges[edge]
    synced.visits, synced.sum = tree.edges[copy].visits, tree.edges[copy].sum
    if tree.squares != NULL:
        tree.squares[copy] = synced.squares = tree.squares[edge]


cdef inline void settle(Tree tree, Backlog* backlog) noexcept nogil:
    """Count all that others do not know, and forget all replicas."""
    cdef int i
    for i in range(REPLICAS):
        if backlog.replicas[i].node != NONE:
            compare(tree, &backlog.replicas[i], backlog)
            backlog.replicas[i].node = NONE
    backlog.copies = backlog.n_replicas = 0


cdef inline int32_t replica_of(Tree tree, int32_t node, Backlog* backlog) noexcept nogil:
    """The replica of a node, made if it is busy; NONE if it has none."""
    cdef int32_t at = node % REPLICAS, i, n
    cdef Replica* replica
    if backlog.first_copy == NONE or tree.nodes[node].visits < backlog.busy:
        return NONE
    while backlog.replicas[at].node != node:
        if backlog.replicas[at].node == NONE:
            n = tree.nodes[node].n_edges
            if n > MOST_COPIED or tree.nodes[node].mover < 0:
                return NONE
            if backlog.copies + n > COPIES or 2 * backlog.n_replicas >= REPLICAS:
                settle(tree, backlog)
                backlog.busy *= 2
                if tree.nodes[node].visits < backlog.busy:
                    return NONE
                at = node % REPLICAS
            replica = &backlog.replicas[at]
            replica.node, replica.first, replica.visits = node, backlog.first_copy + backlog.copies, 0
            for i in range(n):
                refresh(tree, tree.nodes[node].first + i, replica.first + i, &backlog.synced[backlog.copies + i])
            backlog.copies += n
            backlog.n_replicas += 1
            return at
        at = (at + 1) % REPLICAS
    replica = &backlog.replicas[at]
    if replica.visits > tree.nodes[node].visits >> SHARE:
        compare(tree, replica, backlog)
    return at


cdef inline void put_off(const Simulation* sim, const Path* path, Backlog* backlog) noexcept nogil:
    """Keep a simulation for the statistics of moves; there is room."""
    cdef Simulation* kept = &backlog.simulations[backlog.n]
    cdef int32_t* passed = backlog.passed + <int64_t>backlog.n * backlog.depth
    cdef int i
    kept.length, kept.tree_length = sim.length, path.length
    memcpy(kept.keys, sim.keys, <size_t>sim.length * sim.n_roles * sizeof(move_t))
    memcpy(kept.results, sim.results, sizeof(sim.results))
    memcpy(kept.goals, sim.goals, sizeof(sim.goals))
    if kept.repeats.previous != NULL:
        kept.repeats.capacity = min(sim.repeats.capacity, <int64_t>sim.length * sim.n_roles)
        memcpy(kept.repeats.previous, sim.repeats.previous, <size_t>kept.repeats.capacity * sizeof(int32_t))
    for i in range(path.length):
        passed[i] = path.nodes[i] if backlog.copied[i] != NONE else NONE
    backlog.n += 1
