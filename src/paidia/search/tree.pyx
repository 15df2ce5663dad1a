"""The search tree: positions or sequences of moves (nodes) and the moves of each role in them (edges), in flat arrays.

A tree of positions is a transposition table: two ways to the same position share one node. In a tree of sequences a node
stands for all that its moves can lead to; its edges are those of the moves that were legal there in some simulation. A
new node has no edges; it gets them when it is visited again, because most nodes never are. `arrays()` gives zero-copy numpy
views, field by field; `save()` writes a file. Records instead of one array per field, because a level of a deep tree then
costs three cache lines, not eight.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

import numpy as np

from paidia.core.model cimport Situation, move_t
from paidia.search.statistics.amaf cimport NO_AMAF, AmafTables

cdef enum:
    FIRST_NODES = 1024
    FIRST_EDGES = 8192
    MOST = 1 << 30
    MOST_MOVES = 65535
    MOST_SEQUENCES = 1 << 18    # a tree of sequences lives for a tick or two


cdef class Tree:
    """All nodes and edges of one search."""

    def __cinit__(
        self, int n_roles, *, bint squares=False, bint bounds=False, bint sequences=False, bint estimates=False, int max_legal=0
    ):
        self.n_roles, self.keep_squares, self.keep_bounds = n_roles, squares, bounds
        self.sequences, self.keep_estimates = sequences, estimates
        self.limit = MOST_SEQUENCES if sequences else MOST
        self.front = max_legal if sequences else 0
        if not (self._grow_nodes() and self._grow_edges(FIRST_EDGES + self.front)
                and self._rebuild_slots(4 * FIRST_NODES - 1)):
            raise MemoryError()
        self.clear()

    def __dealloc__(self):
        free(self.nodes)
        free(self.slots)
        free(self.edges)
        free(self.squares)
        free(self.bounds)
        free(self.edge_more)
        free(self.node_more)
        free(self.spare_edges)
        free(self.spare_more)

    def clear(self):
        """Forget everything; the memory is kept for the next search."""
        cdef int32_t edge
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
        cdef int32_t node = self.slots[at]
        while node != NONE:
            if self.nodes[node].key == key:
                return node
            at = (at + 1) & self.slot_mask
            node = self.slots[at]
        return NONE

    cdef int32_t add_node(self, Situation state, uint64_t key, int32_t step) noexcept nogil:
        """A node for a position that has none yet; NONE if memory is out."""
        cdef uint64_t at
        cdef int32_t node = self.n_nodes
        cdef Node* new
        cdef int role
        if self.full or node >= self.limit:
            return NONE
        if node == self.node_capacity and not self._grow_nodes():
            self.full = True
            return NONE
        if 2 * <uint64_t>node > self.slot_mask and not self._rebuild_slots(4 * self.slot_mask + 3):
            self.full = True
            return NONE
        self.n_nodes += 1
        new = &self.nodes[node]
        new.key = key
        new.amaf = NO_AMAF
        new.first = NONE
        new.n_edges = 0
        new.visits = 0
        new.stamp = step
        new.terminal = state.c_terminal()
        new.mover = -1 if new.terminal else state.c_mover()
        if self.keep_bounds:
            for role in range(self.n_roles):
                self.bounds[(<int64_t>node * self.n_roles + role) * 2] = 0.0
                self.bounds[(<int64_t>node * self.n_roles + role) * 2 + 1] = 1.0
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
                n = state.c_legal(role, &moves)
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
        if self.sequences:
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

    cdef bint fits(self, int32_t node, const move_t* moves, int n) noexcept nogil:
        cdef const Node* here = &self.nodes[node]
        cdef int i
        if here.n_edges != n:
            return False
        for i in range(n):
            if self.edges[here.first + i].move != moves[i]:
                return False
        return True

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
        self.edge_more[to] = self.edge_more[origin]
        if self.keep_squares:
            self.squares[to] = self.squares[origin]

    def keep_below(self, int32_t root, double factor, AmafTables amaf):
        """Make a node the root, drop what is not below it, and multiply visits and sums; what waits is forgotten.

        Returns the AMAF tables of what is left (None stays None).
        """
        cdef AmafTables kept_amaf = None if amaf is None else AmafTables(keys=amaf.keys)
        cdef int32_t node, to = 0, edge, e, first, child
        cdef SequenceNode* more
        cdef list squares = []
        if self.spare_capacity < self.edge_capacity:
            free(self.spare_edges)
            free(self.spare_more)
            self.spare_edges = <Edge*>malloc(<size_t>self.edge_capacity * sizeof(Edge))
            self.spare_more = <SequenceEdge*>malloc(<size_t>self.edge_capacity * sizeof(SequenceEdge))
            self.spare_capacity = self.edge_capacity
            if self.spare_edges == NULL or self.spare_more == NULL:
                self.spare_capacity = 0
                raise MemoryError
        # A parent stands before its children, so it has its new place (in `stamp`) before they ask for it.
        self.spare_edges[self.front] = self.edges[self.node_more[root].incoming]
        self.spare_more[self.front] = self.edge_more[self.node_more[root].incoming]
        edge = self.front + 1
        for node in range(root):
            self.nodes[node].stamp = NONE
        for node in range(root, self.n_nodes):
            more = &self.node_more[node]
            if node != root and self.nodes[more.parent].stamp == NONE:
                self.nodes[node].stamp = NONE
                continue
            more.parent = NONE if node == root else self.nodes[more.parent].stamp
            more.waiting = NONE
            first = edge
            for e in range(self.nodes[node].first, self.nodes[node].first + self.nodes[node].n_edges):
                self.spare_edges[edge] = self.edges[e]
                self.spare_edges[edge].sum *= factor
                self.spare_more[edge] = self.edge_more[e]
                self.spare_more[edge].weight *= factor
                if self.keep_squares:
                    squares.append(self.squares[e] * factor)
                edge += 1
            if self.nodes[node].n_edges:
                self.nodes[node].first = first
            self.nodes[node].stamp = to
            to += 1
        self.spare_edges[self.front].sum *= factor
        self.spare_more[self.front].weight *= factor
        self.spare_edges[self.front].child = NONE
        for e in range(self.front + 1, edge):
            child = self.spare_edges[e].child
            if child != NONE:
                self.node_more[child].incoming = e
                self.spare_edges[e].child = self.nodes[child].stamp
        to = 0
        for node in range(root, self.n_nodes):
            if self.nodes[node].stamp == NONE:
                continue
            self.nodes[to] = self.nodes[node]
            self.node_more[to] = self.node_more[node]
            if kept_amaf is not None:
                self.nodes[to].amaf = amaf.move_to(kept_amaf, self.nodes[to].amaf, self.n_roles)
            to += 1
        self.node_more[0].incoming = self.front
        self.edges, self.spare_edges = self.spare_edges, self.edges
        self.edge_more, self.spare_more = self.spare_more, self.edge_more
        self.spare_capacity, self.edge_capacity = self.edge_capacity, self.spare_capacity
        self.n_nodes, self.n_edges, self.full = to, edge, False
        for e, square in enumerate(squares, start=self.front + 1):
            self.squares[e] = square
        return kept_amaf

    # ---------------------------------------------------------------- what is proven

    cdef bint proven(self, int32_t node) noexcept nogil:
        """Whether the outcome for every role is known."""
        cdef const float* b = self.bounds + <int64_t>node * self.n_roles * 2
        cdef int role
        for role in range(self.n_roles):
            if b[2 * role] != b[2 * role + 1]:
                return False
        return True

    cdef bint tight(self, int32_t node) noexcept nogil:
        """Whether anything is known of any role."""
        cdef const float* b = self.bounds + <int64_t>node * self.n_roles * 2
        cdef int role
        for role in range(self.n_roles):
            if b[2 * role] != 0.0 or b[2 * role + 1] != 1.0:
                return True
        return False

    cdef void rebound(self, int32_t node, bint zero_sum) noexcept nogil:
        """Draw the bounds of a node where one role acts from those of its children.

        The mover gets the best of its moves. What another role gets lies between the extremes of the moves that the mover
        may still prefer; with two roles and a zero sum it is what the mover leaves.
        """
        cdef const Node* here = &self.nodes[node]
        cdef float* b = self.bounds + <int64_t>node * self.n_roles * 2
        cdef const float* below
        cdef int mover = here.mover, role
        cdef int32_t e
        cdef float low = 0.0, high = 0.0, least, most
        if mover < 0 or here.n_edges == 0:
            return
        for e in range(here.first, here.first + here.n_edges):
            if self.edges[e].child == NONE:
                high = 1.0
            else:
                below = self.bounds + (<int64_t>self.edges[e].child * self.n_roles + mover) * 2
                low = max(low, below[0])
                high = max(high, below[1])
        # Facts stay facts, also when a child they came from has been dropped.
        low = b[2 * mover] = max(low, b[2 * mover])
        b[2 * mover + 1] = min(high, b[2 * mover + 1])
        for role in range(self.n_roles):
            if role == mover:
                continue
            least, most = 1.0, 0.0
            if zero_sum:
                least, most = <float>1.0 - b[2 * mover + 1], <float>1.0 - low
            else:
                for e in range(here.first, here.first + here.n_edges):
                    if self.edges[e].child == NONE:
                        least, most = 0.0, 1.0
                        break
                    below = self.bounds + <int64_t>self.edges[e].child * self.n_roles * 2
                    if below[2 * mover + 1] > low or below[2 * mover] == low:
                        least = min(least, below[2 * role])
                        most = max(most, below[2 * role + 1])
            b[2 * role] = max(b[2 * role], least)
            b[2 * role + 1] = min(b[2 * role + 1], most)

    cdef int open_moves(self, int32_t node, int role, int32_t first, int n, int* open) noexcept nogil:
        """Mark the moves of a role that are worth a look; returns their number.

        Left out is what cannot beat what another move brings for sure, and what is lost for sure; all, if that is all.
        """
        cdef int i, count = 0
        cdef int32_t child
        cdef float low, below_low, below_high
        if self.bounds != NULL and self.nodes[node].mover == role:
            low = self.bounds[(<int64_t>node * self.n_roles + role) * 2]
            for i in range(n):
                child = self.edges[first + i].child
                below_low, below_high = 0.0, 1.0
                if child != NONE:
                    below_low = self.bounds[(<int64_t>child * self.n_roles + role) * 2]
                    below_high = self.bounds[(<int64_t>child * self.n_roles + role) * 2 + 1]
                open[i] = below_high > low or (low > 0.0 and below_low == low)
                count += open[i]
        if count == 0:
            for i in range(n):
                open[i] = True
            count = n
        return count

    cdef bint _grow_nodes(self) noexcept nogil:
        cdef int64_t capacity = max(FIRST_NODES, 2 * <int64_t>self.node_capacity)
        cdef Node* nodes
        cdef float* bounds
        cdef SequenceNode* more
        if capacity > MOST:
            return False
        nodes = <Node*>realloc(self.nodes, capacity * sizeof(Node))
        if nodes == NULL:
            return False
        self.nodes = nodes
        if self.keep_bounds:
            bounds = <float*>realloc(self.bounds, capacity * self.n_roles * 2 * sizeof(float))
            if bounds == NULL:
                return False
            self.bounds = bounds
        if self.sequences:
            more = <SequenceNode*>realloc(self.node_more, capacity * sizeof(SequenceNode))
            if more == NULL:
                return False
            self.node_more = more
        self.node_capacity = <int32_t>capacity
        return True

    cdef bint _grow_edges(self, int32_t needed) noexcept nogil:
        cdef int64_t capacity = max(needed, <int64_t>self.edge_capacity + (self.edge_capacity >> 1))
        cdef void* block
        if capacity > MOST:
            return False
        block = realloc(self.edges, capacity * sizeof(Edge))
        if block == NULL:
            return False
        self.edges = <Edge*>block
        if self.keep_squares:
            block = realloc(self.squares, capacity * sizeof(double))
            if block == NULL:
                return False
            self.squares = <double*>block
        if self.sequences:
            block = realloc(self.edge_more, capacity * sizeof(SequenceEdge))
            if block == NULL:
                return False
            self.edge_more = <SequenceEdge*>block
        self.edge_capacity = <int32_t>capacity
        return True

    cdef bint _rebuild_slots(self, uint64_t mask) noexcept nogil:
        cdef int32_t* slots = <int32_t*>malloc((mask + 1) * sizeof(int32_t))
        cdef int32_t node
        cdef uint64_t at
        if slots == NULL:
            return False
        memset(slots, 0xFF, (mask + 1) * sizeof(int32_t))
        for node in range(self.n_nodes):
            at = self.nodes[node].key & mask
            while slots[at] != NONE:
                at = (at + 1) & mask
            slots[at] = node
        free(self.slots)
        self.slots, self.slot_mask = slots, mask
        return True

    def keep_since(self, int32_t step, AmafTables amaf):
        """Drop the nodes that were last visited before `step`; returns the AMAF tables of the rest (None stays None)."""
        cdef int32_t[::1] renamed = np.full(max(1, self.n_nodes), NONE, dtype=np.int32)
        cdef AmafTables kept_amaf = None if amaf is None else AmafTables(keys=amaf.keys)
        cdef int32_t node, to, edge = 0, e, n, kept = 0
        for node in range(self.n_nodes):
            if self.nodes[node].stamp >= step:
                renamed[node] = kept
                kept += 1
        if kept == self.n_nodes:
            return amaf
        for node in range(self.n_nodes):
            to = renamed[node]
            if to == NONE:
                continue
            self.nodes[to] = self.nodes[node]
            if self.keep_bounds:
                for e in range(2 * self.n_roles):
                    self.bounds[<int64_t>to * self.n_roles * 2 + e] = self.bounds[<int64_t>node * self.n_roles * 2 + e]
            if kept_amaf is not None:
                self.nodes[to].amaf = amaf.move_to(kept_amaf, self.nodes[to].amaf, self.n_roles)
        self.n_nodes = kept
        # Edges move down in the order in which they lie, so that none is overwritten before its turn.
        for node in np.argsort(self.arrays()["nodes"]["first"], kind="stable"):
            if self.nodes[node].first == NONE:
                continue
            n = self.nodes[node].n_edges
            for e in range(self.nodes[node].first, self.nodes[node].first + n):
                self.edges[edge] = self.edges[e]
                if self.edges[edge].child != NONE:
                    self.edges[edge].child = renamed[self.edges[edge].child]
                if self.keep_squares:
                    self.squares[edge] = self.squares[e]
                edge += 1
            self.nodes[node].first = edge - n
        self.n_edges = edge
        self.full = False
        if not self._rebuild_slots(self.slot_mask):
            raise MemoryError()
        return kept_amaf

    # ---------------------------------------------------------------- to look at

    def root(self, Situation state):
        """The node of a position, or -1."""
        return self.find(state.c_key())

    def arrays(self):
        """Zero-copy record arrays `nodes` and `edges` (and `squares` and `bounds`, if kept), valid until the next search."""
        cdef Py_ssize_t n = max(1, self.n_nodes), m = max(1, self.n_edges)
        views = {
            "nodes": np.asarray(<char[:n * sizeof(Node)]><char*>self.nodes).view(NODE_TYPE)[:self.n_nodes],
            "edges": np.asarray(<char[:m * sizeof(Edge)]><char*>self.edges).view(EDGE_TYPE)[:self.n_edges],
        }
        if self.keep_squares:
            views["squares"] = np.asarray(<double[:m]>self.squares)[:self.n_edges]
        if self.sequences:
            more = np.asarray(<char[:m * sizeof(SequenceEdge)]><char*>self.edge_more)
            views["edge_more"] = more.view(EDGE_MORE_TYPE)[:self.n_edges]
            more = np.asarray(<char[:n * sizeof(SequenceNode)]><char*>self.node_more)
            views["node_more"] = more.view(NODE_MORE_TYPE)[:self.n_nodes]
        if self.keep_bounds:
            views["bounds"] = np.asarray(<float[:n * self.n_roles * 2]>self.bounds).reshape(n, self.n_roles, 2)[:self.n_nodes]
        return views

    def save(self, file):
        """Write all arrays to an `.npz` file."""
        np.savez_compressed(file, **self.arrays())


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
