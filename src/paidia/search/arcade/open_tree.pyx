"""The tree of an open-loop search (see open_tree.pxd)."""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libc.stdlib cimport free, realloc

from paidia.core.arcade cimport N_ACTIONS, NIL


cdef class OpenTree:
    """Nodes in one array; node 0 is the root. The states that wait in the nodes are forgotten by `keep`."""

    def __cinit__(self, int32_t limit=1 << 18):
        self.limit = limit
        self.reserve(1024)
        if self.capacity == 0:
            raise MemoryError
        self.clear()

    def __dealloc__(self):
        free(self.nodes)
        free(self.place)

    def __len__(self):
        return self.size

    cdef void clear(self) noexcept nogil:
        self.size = 0
        self.add(NONE, NIL)

    cdef void reserve(self, int32_t more) noexcept nogil:
        cdef int32_t needed = self.size + more, room
        cdef void* nodes
        cdef void* place
        if needed <= self.capacity or self.capacity >= self.limit:
            return
        room = min(self.limit, max(2 * self.capacity, needed))
        nodes = realloc(self.nodes, room * sizeof(OpenNode))
        if nodes != NULL:
            self.nodes = <OpenNode*>nodes
        place = realloc(self.place, room * sizeof(int32_t))
        if place != NULL:
            self.place = <int32_t*>place
        if nodes != NULL and place != NULL:
            self.capacity = room

    cdef int32_t add(self, int32_t parent, int action) noexcept nogil:
        cdef OpenNode* node
        cdef int i
        if self.size >= self.capacity:
            return NONE
        node = &self.nodes[self.size]
        node.visits = node.total = node.value = 0.0
        node.high = -INFINITY
        node.low = INFINITY
        node.parent = parent
        for i in range(N_ACTIONS):
            node.child[i] = NONE
        node.waiting = node.memory = NONE
        node.action = action
        node.marks = 0
        if parent != NONE:
            self.nodes[parent].child[action] = self.size
        self.size += 1
        return self.size - 1

    cdef void keep(self, int32_t root, double factor) noexcept nogil:
        cdef int32_t i, to
        cdef int a
        cdef OpenNode* node
        for i in range(root):
            self.place[i] = NONE
        to = 0
        for i in range(root, self.size):        # a parent has its new place before its children ask for it
            if i != root and self.place[self.nodes[i].parent] == NONE:
                self.place[i] = NONE
                continue
            self.place[i] = to
            node = &self.nodes[to]
            node[0] = self.nodes[i]
            node.visits *= factor
            node.total *= factor
            node.waiting = NONE
            for a in range(N_ACTIONS):
                node.child[a] = NONE
            if i == root:
                node.parent = NONE
            else:
                node.parent = self.place[node.parent]
                self.nodes[node.parent].child[node.action] = to
            to += 1
        self.size = to
