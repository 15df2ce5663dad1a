# distutils: extra_compile_args = -O3
"""The search tree: positions or sequences of moves (nodes) and the moves of each role in them (edges), in flat arrays.

A tree of positions is a transposition table: two ways to the same position share one node. In a tree of sequences a node
stands for all that its moves can lead to; its edges are those of the moves that were legal there in some simulation. A
new node has no edges; it gets them when it is visited again, because most nodes never are. `arrays()` gives zero-copy numpy
views, field by field; `save()` writes a file. Records instead of one array per field, because a level of a deep tree then
costs three cache lines, not eight.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

import weakref
from threading import get_ident

import numpy as np

from paidia.core.machine.atomic cimport get
from paidia.core.machine.memory cimport discard, malloc
from paidia.core.model cimport Situation, move_t, moves_of
from paidia.core.machine.view cimport view_of
from paidia.search.nodes.room cimport has_room, resize
from paidia.search.statistics.amaf cimport NO_AMAF

from paidia.core.errors import BadInput

cdef enum:
    FIRST_NODES = 1024
    FIRST_EDGES = 8192
    MOST = 1 << 30
    MOST_MOVES = 65535
    MOST_SEQUENCES = 1 << 18    # a tree of sequences lives for a tick or two

cdef int64_t ENDLESS = <int64_t>1 << 62


cdef class Tree:
    """All nodes and edges of one search."""

    def __cinit__(
        self, int n_roles, *, bint squares=False, bint bounds=False, bint sequences=False, bint weights=False,
        bint estimates=False, int max_legal=0, int64_t memory=0
    ):
        self.room.limit = memory if memory > 0 else ENDLESS
        self.n_roles, self.keep_squares, self.keep_bounds = n_roles, squares, bounds
        self.sequences, self.keep_weights, self.keep_estimates = sequences, sequences and weights, estimates
        self.limit = MOST_SEQUENCES if sequences else MOST
        self.front = max_legal if sequences else 0
        if not (self._grow_nodes() and self._grow_edges(FIRST_EDGES + self.front)
                and self._rebuild_slots(4 * FIRST_NODES - 1)):
            raise MemoryError()
        self.clear()

    def __dealloc__(self):
        discard(self.nodes)
        discard(self.slots)
        discard(self.edges)
        discard(self.squares)
        discard(self.bounds)
        discard(self.edge_more)
        discard(self.node_more)
        discard(self.spare_edges)
        discard(self.spare_more)

    def clear(self):
        """Forget everything; the memory is kept for the next search."""
        cdef int32_t edge
        self.detach()
        self.n_nodes = self.n_edges = 0
        self.full = False
        memset(self.slots, 0xFF, (self.slot_mask + 1) * sizeof(int32_t))
        if self.sequences:
            for edge in range(self.front + 1):
                self.clear_edge(edge, NONE, NONE)
            self.n_edges = self.front + 1

    cdef int32_t find(self, uint64_t key) noexcept nogil:
        """The node of a position, or NONE."""
        cdef uint64_t at = key & self.slot_mask
        cdef int32_t node = get(&self.slots[at])
        while node != NONE:
            if self.nodes[node].key == key:
                return node
            at = (at + 1) & self.slot_mask
            node = get(&self.slots[at])
        return NONE

    cdef int32_t add_node(self, Situation state, uint64_t key, int32_t step) noexcept nogil:
        """A node for a position that has none yet; NONE if memory is out."""
        cdef uint64_t at
        cdef int32_t node = self.n_nodes
        if self.full or node >= self.limit:
            return NONE
        if node == self.node_capacity and not self._grow_nodes():
            self.full = True
            return NONE
        if 2 * <uint64_t>node > self.slot_mask and not self._rebuild_slots(4 * self.slot_mask + 3):
            self.full = True
            return NONE
        self.n_nodes += 1
        new_position(self, node, state, key, step)
        at = key & self.slot_mask
        while self.slots[at] != NONE:
            at = (at + 1) & self.slot_mask
        self.slots[at] = node
        return node

    cdef bint expand(self, int32_t node, Situation state) noexcept nogil:
        """Give a node its edges, one for every legal move of every role; `state` is its position."""
        cdef const move_t* moves = NULL
        cdef int role, n, i
        cdef int32_t edge = self.n_edges
        cdef int mover = self.nodes[node].mover
        for role in range(self.n_roles):
            n = 0
            if mover < 0 or role == mover:
                n = moves_of(state, role, self.decisive, &moves)
                if edge + n > self.edge_capacity and not self._grow_edges(edge + n):
                    self.full = True
                    return False
                for i in range(n):
                    self.clear_edge(edge, role, moves[i])
                    edge += 1
        if edge - self.n_edges > MOST_MOVES:       # a node counts its edges in 16 bits: such a position stays a leaf
            return False
        self.nodes[node].first = self.n_edges
        self.nodes[node].n_edges = <uint16_t>(edge - self.n_edges)
        self.n_edges = edge
        return True

    cdef inline void clear_edge(self, int32_t edge, int role, move_t move) noexcept nogil:
        cdef Edge* new = &self.edges[edge]
        cdef SequenceEdge* more
        new.sum = 0.0
        new.visits = 0
        new.child = NONE
        new.move = move
        new.role = role
        if self.keep_squares:
            self.squares[edge] = 0.0
        if self.keep_weights:
            more = &self.edge_more[edge]
            more.weight = more.estimate = 0.0
            more.low, more.high = INFINITY, -INFINITY
            more.marks = 0

    # ---------------------------------------------------------------- sequences

    cdef int32_t add_sequence(self, int32_t node, int32_t edge, uint64_t key, bint listed) noexcept nogil:
        """A node behind an edge of another one (NONE: the root); `listed` if it must be found by its key."""
        cdef int32_t new = self.n_nodes
        cdef Node* record
        cdef SequenceNode* more
        cdef uint64_t at
        if self.full or new >= self.limit:
            return NONE
        if new == self.node_capacity and not self._grow_nodes():
            self.full = True
            return NONE
        if listed and 2 * <uint64_t>new > self.slot_mask and not self._rebuild_slots(4 * self.slot_mask + 3):
            self.full = True
            return NONE
        self.n_nodes += 1
        record = &self.nodes[new]
        record.key = key
        record.amaf = NO_AMAF
        record.first = NONE
        record.n_edges = 0
        record.visits = record.stamp = 0
        record.mover = 0
        record.terminal = False
        more = &self.node_more[new]
        more.parent = node
        more.incoming = edge if node != NONE else self.front
        more.waiting = more.memory = NONE
        if node != NONE and edge != NONE:
            self.edges[edge].child = new
        if listed:
            at = key & self.slot_mask
            while self.slots[at] != NONE:
                at = (at + 1) & self.slot_mask
            self.slots[at] = new
        return new

    cdef int32_t extend(self, int32_t node, move_t move, uint64_t key) noexcept nogil:
        cdef int32_t edge = self.n_edges
        if edge == self.edge_capacity and not self._grow_edges(edge + 1):
            self.full = True
            return NONE
        self.clear_edge(edge, 0, move)
        self.nodes[node].first = edge
        self.nodes[node].n_edges = 1
        self.n_edges += 1
        return self.add_sequence(node, edge, key, False)

    cdef int32_t edge_of(self, int32_t node, int role, move_t move) noexcept nogil:
        cdef Node* here = &self.nodes[node]
        cdef int32_t e
        for e in range(here.first, here.first + here.n_edges):
            if self.edges[e].move == move and self.edges[e].role == role:
                return e
        if not self.adopt(node, role, &move, 1):
            return NONE
        here = &self.nodes[node]
        for e in range(here.first, here.first + here.n_edges):
            if self.edges[e].move == move and self.edges[e].role == role:
                return e
        return NONE

    cdef bint adopt(self, int32_t node, int role, const move_t* moves, int n) noexcept nogil:
        """Give a node edges for these moves, in their order; those it has besides stand behind them."""
        cdef Node* here = &self.nodes[node]
        cdef int32_t old = here.first, n_old = here.n_edges, edge = self.n_edges, e, i
        cdef bint known
        if edge + n + n_old > self.edge_capacity and not self._grow_edges(edge + n + n_old):
            self.full = True
            return False
        if n + n_old > MOST_MOVES:
            return False
        for i in range(n):
            self.clear_edge(edge, role, moves[i])
            for e in range(old, old + n_old):
                if self.edges[e].move == moves[i] and self.edges[e].role == role:
                    self.move_edge(edge, e)
                    break
            edge += 1
        for e in range(old, old + n_old):
            known = False
            for i in range(n):
                known = known or (self.edges[e].move == moves[i] and self.edges[e].role == role)
            if not known:
                self.move_edge(edge, e)
                edge += 1
        here.first = self.n_edges
        here.n_edges = <uint16_t>(edge - self.n_edges)
        self.n_edges = edge
        return True

    cdef inline void move_edge(self, int32_t to, int32_t origin) noexcept nogil:
        self.copy_edge(to, origin)
        if self.edges[to].child != NONE:
            self.node_more[self.edges[to].child].incoming = to

    cdef inline void copy_edge(self, int32_t to, int32_t origin) noexcept nogil:
        self.edges[to] = self.edges[origin]
        if self.keep_weights:
            self.edge_more[to] = self.edge_more[origin]
        if self.keep_squares:
            self.squares[to] = self.squares[origin]

    # ---------------------------------------------------------------- memory

    cdef bint _grow_nodes(self) noexcept nogil:
        cdef int64_t old = self.node_capacity, capacity = max(FIRST_NODES, 2 * old)
        cdef int64_t more = (capacity - old) * <int64_t>(sizeof(Node) + self.sequences * sizeof(SequenceNode))
        cdef void* block
        if capacity > MOST or not has_room(&self.room, more + self.keep_bounds * self._bounds(capacity - old)):
            return False
        # Where the machine refuses one of them, those before it are larger than the capacity says: no harm done.
        block = resize(&self.room, self.nodes, old * sizeof(Node), capacity * sizeof(Node))
        if block == NULL:
            return False
        self.nodes = <Node*>block
        if self.keep_bounds:
            block = resize(&self.room, self.bounds, self._bounds(old), self._bounds(capacity))
            if block == NULL:
                return False
            self.bounds = <float*>block
        if self.sequences:
            block = resize(&self.room, self.node_more, old * sizeof(SequenceNode), capacity * sizeof(SequenceNode))
            if block == NULL:
                return False
            self.node_more = <SequenceNode*>block
        self.node_capacity = <int32_t>capacity
        return True

    cdef bint make_room(self, int32_t nodes, int32_t edges) noexcept nogil:
        """Between the simulations of several threads."""
        while self.n_nodes + nodes > self.node_capacity:
            if not self._grow_nodes():
                self.full = True
                return False
        while 2 * <uint64_t>(self.n_nodes + nodes) > self.slot_mask:
            if not self._rebuild_slots(4 * self.slot_mask + 3):
                self.full = True
                return False
        if self.n_edges + edges > self.edge_capacity and not self._grow_edges(self.n_edges + edges):
            self.full = True
            return False
        return True

    cdef void expect(self, int32_t nodes, int32_t edges) noexcept nogil:
        """Make room now for what a search will probably add, if there is room: a large tree takes a while to grow."""
        cdef bint full = self.full
        self.make_room(nodes, edges)
        self.full = full

    cdef inline int64_t _bounds(self, int64_t nodes) noexcept nogil:
        return nodes * self.n_roles * 2 * <int64_t>sizeof(float)

    cdef bint _grow_edges(self, int32_t needed) noexcept nogil:
        cdef int64_t old = self.edge_capacity, capacity = max(needed, old + (old >> 1))
        cdef int64_t size = sizeof(Edge) + self.keep_squares * sizeof(double) + self.keep_weights * sizeof(SequenceEdge)
        cdef void* block
        if capacity > MOST or not has_room(&self.room, (capacity - old) * size):
            return False
        block = resize(&self.room, self.edges, old * sizeof(Edge), capacity * sizeof(Edge))
        if block == NULL:
            return False
        self.edges = <Edge*>block
        if self.keep_squares:
            block = resize(&self.room, self.squares, old * sizeof(double), capacity * sizeof(double))
            if block == NULL:
                return False
            self.squares = <double*>block
        if self.keep_weights:
            block = resize(&self.room, self.edge_more, old * sizeof(SequenceEdge), capacity * sizeof(SequenceEdge))
            if block == NULL:
                return False
            self.edge_more = <SequenceEdge*>block
        self.edge_capacity = <int32_t>capacity
        return True

    cdef bint _rebuild_slots(self, uint64_t mask) noexcept nogil:
        cdef int32_t* slots = self.slots if mask == self.slot_mask else NULL
        cdef int32_t node
        cdef uint64_t at
        if slots == NULL:
            slots = <int32_t*>resize(&self.room, NULL, 0, (mask + 1) * sizeof(int32_t))
            if slots == NULL:
                return False
            if self.slots != NULL:
                self.room.used -= (self.slot_mask + 1) * sizeof(int32_t)
                discard(self.slots)
            self.slots, self.slot_mask = slots, mask
        memset(slots, 0xFF, (mask + 1) * sizeof(int32_t))
        for node in range(self.n_nodes):
            if self.nodes[node].stamp == UNUSED:
                continue
            at = self.nodes[node].key & mask
            while slots[at] != NONE:
                at = (at + 1) & mask
            slots[at] = node
        return True

    # ---------------------------------------------------------------- to look at

    def root(self, Situation state not None):
        """The node of a position, or -1."""
        return self.find(state.c_key())

    @property
    def memory(self):
        """Bytes in use, and the limit."""
        return self.room.used, self.room.limit

    def arrays(self):
        """Read-only record arrays `nodes` and `edges` (and `squares`, `bounds` ..., if kept), without a copy.

        They stay as they are: a search that goes on while somebody looks works on a copy. While it runs, its memory may move at
        any moment: its own thread (in a handler of a signal) gets copies, another one an error.
        """
        cdef Snapshot shot = self._snapshot()
        cdef int64_t n = self.n_nodes, m = self.n_edges
        views = {"nodes": shot.array(self.nodes, n, NODE_TYPE), "edges": shot.array(self.edges, m, EDGE_TYPE)}
        if self.keep_squares:
            views["squares"] = shot.array(self.squares, m, np.dtype(np.float64))
        if self.keep_weights:
            views["edge_more"] = shot.array(self.edge_more, m, EDGE_MORE_TYPE)
        if self.sequences:
            views["node_more"] = shot.array(self.node_more, n, NODE_MORE_TYPE)
        if self.keep_bounds:
            bounds = shot.array(self.bounds, n * self.n_roles * 2, np.dtype(np.float32))
            views["bounds"] = bounds.reshape(n, self.n_roles, 2)
        return {name: view.copy() for name, view in views.items()} if isinstance(self.looking, int) else views

    def occupy(self):
        """A search begins to work on it, in this thread."""
        self.detach()
        self.looking = get_ident()

    def leave(self):
        """The search is over."""
        self.looking = None

    def check_free(self):
        """Refuse a look from another thread than the one that searches."""
        if isinstance(self.looking, int) and self.looking != get_ident():
            raise BadInput("this tree is busy: another thread searches it; look at it when that has ended")

    def _snapshot(self):
        self.check_free()
        if isinstance(self.looking, int):
            return Snapshot(self)
        shot = None if self.looking is None else self.looking()
        if shot is None:
            shot = Snapshot(self)
            self.looking = weakref.ref(shot)
        return shot

    def detach(self):
        """The tree is about to change: what somebody looks at is theirs from now on, and the tree goes on with a copy."""
        cdef Snapshot shot = None if self.looking is None or isinstance(self.looking, int) else self.looking()
        self.looking = None
        if shot is not None:
            shot.take(self)

    def save(self, file):
        """Write all arrays to an `.npz` file."""
        np.savez_compressed(file, **self.arrays())


cdef class Snapshot:
    """The memory of a tree as somebody sees it: the tree's own, until the tree changes."""

    cdef object __weakref__
    cdef Tree tree          # whose memory it is; None once it is the snapshot's
    cdef void* blocks[6]

    def __cinit__(self, Tree tree):
        self.tree = tree
        memset(self.blocks, 0, sizeof(self.blocks))

    def __dealloc__(self):
        cdef int i
        for i in range(6):
            discard(self.blocks[i])

    cdef array(self, void* data, int64_t n, dtype):
        return np.frombuffer(view_of(self, data, n * dtype.itemsize, False), dtype=dtype)

    cdef take(self, Tree tree):
        cdef int64_t nodes = tree.node_capacity, edges = tree.edge_capacity
        cdef void** held[6]
        cdef int64_t sizes[6]
        cdef void* copies[6]
        cdef int i
        cdef bint complete = True
        held[:] = [
            <void**>&tree.nodes, <void**>&tree.edges, <void**>&tree.squares, <void**>&tree.bounds, <void**>&tree.node_more,
            <void**>&tree.edge_more,
        ]
        sizes[:] = [
            nodes * sizeof(Node), edges * sizeof(Edge), edges * sizeof(double), tree._bounds(nodes), nodes * sizeof(SequenceNode),
            edges * sizeof(SequenceEdge),
        ]
        for i in range(6):
            copies[i] = NULL
            if held[i][0] != NULL:
                copies[i] = malloc(sizes[i])
                complete = complete and copies[i] != NULL
        for i in range(6):
            if not complete:
                free(copies[i])
            elif held[i][0] != NULL:
                memcpy(copies[i], held[i][0], sizes[i])
                self.blocks[i], held[i][0] = held[i][0], copies[i]
        if not complete:
            raise MemoryError("no memory for a copy of the tree: arrays of the last search are still in use")
        self.tree = None


NODE_TYPE = np.dtype([
    ("key", np.uint64), ("amaf", np.int64), ("first", np.int32), ("visits", np.int32), ("stamp", np.int32),
    ("n_edges", np.uint16), ("mover", np.int8), ("terminal", np.uint8),
])
EDGE_TYPE = np.dtype([
    ("sum", np.float64), ("visits", np.int32), ("child", np.int32), ("move", np.int32), ("role", np.int32),
])
EDGE_MORE_TYPE = np.dtype([
    ("weight", np.float64), ("low", np.float64), ("high", np.float64), ("estimate", np.float64), ("marks", np.int32),
    ("_", np.int32),
])
NODE_MORE_TYPE = np.dtype([("parent", np.int32), ("incoming", np.int32), ("waiting", np.int32), ("memory", np.int32)])
assert EDGE_MORE_TYPE.itemsize == sizeof(SequenceEdge) and NODE_MORE_TYPE.itemsize == sizeof(SequenceNode)
assert NODE_TYPE.itemsize == sizeof(Node) and EDGE_TYPE.itemsize == sizeof(Edge)
