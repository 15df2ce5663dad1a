"""The search tree: positions (nodes) and the moves of each role in them (edges), in flat arrays.

It is a transposition table: two ways to the same position share one node. A new node has no edges; it gets them when it
is visited again, because most nodes never are. `arrays()` gives zero-copy numpy views, `save()` a file.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

import numpy as np

from paidia.core.game cimport State, move_t
from paidia.search.statistics.amaf cimport NO_AMAF, AmafTables

cdef enum:
    FIRST_NODES = 1024
    FIRST_EDGES = 8192
    MOST = 1 << 30


cdef class Tree:
    """All nodes and edges of one search."""

    def __cinit__(self, int n_roles, *, bint squares=False):
        self.n_roles, self.squares = n_roles, squares
        if not (self._grow_nodes() and self._grow_edges(FIRST_EDGES) and self._rebuild_slots(4 * FIRST_NODES - 1)):
            raise MemoryError()

    def __dealloc__(self):
        free(self.nodes)
        free(self.counts)
        free(self.slots)
        free(self.edge_move)
        free(self.edge_visits)
        free(self.edge_child)
        free(self.edge_sum)
        free(self.edge_square)

    def clear(self):
        """Forget everything; the memory is kept for the next search."""
        self.n_nodes = self.n_edges = 0
        self.full = False
        memset(self.slots, 0xFF, (self.slot_mask + 1) * sizeof(int32_t))

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

    cdef int32_t add_node(self, State state, uint64_t key, int32_t step) noexcept nogil:
        """A node for a position that has none yet; NONE if memory is out."""
        cdef uint64_t at
        cdef int32_t node = self.n_nodes
        cdef Node* new
        cdef int role
        if self.full:
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
        new.visits = 0
        new.stamp = step
        new.terminal = state.c_terminal()
        new.mover = -1 if new.terminal else state.c_mover()
        for role in range(self.n_roles):
            self.counts[node * self.n_roles + role] = 0
        at = key & self.slot_mask
        while self.slots[at] != NONE:
            at = (at + 1) & self.slot_mask
        self.slots[at] = node
        return node

    cdef bint expand(self, int32_t node, State state) noexcept nogil:
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
                    self.edge_move[edge] = moves[i]
                    self.edge_visits[edge] = 0
                    self.edge_child[edge] = NONE
                    self.edge_sum[edge] = 0.0
                    if self.squares:
                        self.edge_square[edge] = 0.0
                    edge += 1
            self.counts[node * self.n_roles + role] = n
        self.nodes[node].first = self.n_edges
        self.n_edges = edge
        return True

    cdef bint _grow_nodes(self) noexcept nogil:
        cdef int64_t capacity = max(FIRST_NODES, 2 * <int64_t>self.node_capacity)
        cdef Node* nodes
        cdef int32_t* counts
        if capacity > MOST:
            return False
        nodes = <Node*>realloc(self.nodes, capacity * sizeof(Node))
        if nodes == NULL:
            return False
        self.nodes = nodes
        counts = <int32_t*>realloc(self.counts, capacity * self.n_roles * sizeof(int32_t))
        if counts == NULL:
            return False
        self.counts = counts
        self.node_capacity = <int32_t>capacity
        return True

    cdef bint _grow_edges(self, int32_t needed) noexcept nogil:
        cdef int64_t capacity = max(needed, <int64_t>self.edge_capacity + (self.edge_capacity >> 1))
        cdef void* block
        if capacity > MOST:
            return False
        block = realloc(self.edge_move, capacity * sizeof(int32_t))
        if block == NULL:
            return False
        self.edge_move = <int32_t*>block
        block = realloc(self.edge_visits, capacity * sizeof(int32_t))
        if block == NULL:
            return False
        self.edge_visits = <int32_t*>block
        block = realloc(self.edge_child, capacity * sizeof(int32_t))
        if block == NULL:
            return False
        self.edge_child = <int32_t*>block
        block = realloc(self.edge_sum, capacity * sizeof(double))
        if block == NULL:
            return False
        self.edge_sum = <double*>block
        if self.squares:
            block = realloc(self.edge_square, capacity * sizeof(double))
            if block == NULL:
                return False
            self.edge_square = <double*>block
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
        cdef AmafTables kept_amaf = None if amaf is None else AmafTables()
        cdef int32_t node, to, edge = 0, e, n, kept = 0
        cdef int role
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
            if kept_amaf is not None:
                self.nodes[to].amaf = amaf.move_to(kept_amaf, self.nodes[to].amaf, self.n_roles)
            for role in range(self.n_roles):
                self.counts[to * self.n_roles + role] = self.counts[node * self.n_roles + role]
        self.n_nodes = kept
        # Edges move down in the order in which they lie, so that none is overwritten before its turn.
        for node in np.argsort(self.arrays()["nodes"]["first"], kind="stable"):
            if self.nodes[node].first == NONE:
                continue
            n = 0
            for role in range(self.n_roles):
                n += self.counts[node * self.n_roles + role]
            for e in range(self.nodes[node].first, self.nodes[node].first + n):
                self.edge_move[edge] = self.edge_move[e]
                self.edge_visits[edge] = self.edge_visits[e]
                self.edge_sum[edge] = self.edge_sum[e]
                if self.squares:
                    self.edge_square[edge] = self.edge_square[e]
                self.edge_child[edge] = NONE if self.edge_child[e] == NONE else renamed[self.edge_child[e]]
                edge += 1
            self.nodes[node].first = edge - n
        self.n_edges = edge
        self.full = False
        if not self._rebuild_slots(self.slot_mask):
            raise MemoryError()
        return kept_amaf

    # ---------------------------------------------------------------- to look at

    def root(self, State state):
        """The node of a position, or -1."""
        return self.find(state.c_key())

    def arrays(self):
        """Zero-copy views, valid until the next search: `nodes` (a record array), `counts` and the `edge_*` arrays."""
        cdef Py_ssize_t n = max(1, self.n_nodes), m = max(1, self.n_edges)
        nodes = np.asarray(<char[:n * sizeof(Node)]><char*>self.nodes).view(NODE_TYPE)
        views = {
            "nodes": nodes[:self.n_nodes],
            "counts": np.asarray(<int32_t[:n * self.n_roles]>self.counts).reshape(n, -1)[:self.n_nodes],
            "edge_move": np.asarray(<int32_t[:m]>self.edge_move)[:self.n_edges],
            "edge_visits": np.asarray(<int32_t[:m]>self.edge_visits)[:self.n_edges],
            "edge_child": np.asarray(<int32_t[:m]>self.edge_child)[:self.n_edges],
            "edge_sum": np.asarray(<double[:m]>self.edge_sum)[:self.n_edges],
        }
        if self.squares:
            views["edge_square"] = np.asarray(<double[:m]>self.edge_square)[:self.n_edges]
        return views

    def save(self, file):
        """Write all arrays to an `.npz` file."""
        np.savez_compressed(file, **self.arrays())


NODE_TYPE = np.dtype([
    ("key", np.uint64), ("amaf", np.int64), ("first", np.int32), ("visits", np.int32), ("stamp", np.int32),
    ("mover", np.int8), ("terminal", np.uint8), ("unused", np.uint8, 2),
])
assert NODE_TYPE.itemsize == sizeof(Node)
