"""2BFS: best-first search with two queues, one by novelty and one by reward, that take turns.

Lipovetzky, Ramirez and Geffner 2015 (Classical planning with simulators: results on the Atari video games); Soemers
2016, section 3.3.1. Novelty only orders, nothing is pruned:

    first queue     a new atom before none, then the higher reward, then the older one
    second queue    the higher reward, then a new atom before none, then the older one

The reward is what X = score, +-1e7 at the end, rose by since the root. Every generated situation is memorised and
enters both queues; one that the other queue has already expanded is passed over. Prepruning, choice of the action and
memory are those of `breadth_first`.
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport free

from paidia.core.machine.memory cimport malloc
from paidia.core.model cimport move_t
from paidia.search.planners.widths.atoms cimport Atoms
from paidia.search.planners.widths.breadth_first cimport BreadthFirst, Node
from paidia.search.planners.widths.novelty cimport NEW_ATOM, Novelty

import msgspec

from paidia.search.registry import SEARCHES


class TwoQueuesSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`samples` is M of safety prepruning."""

    samples: int = 10
    max_states: int = 16384


cdef bint before(const Node* nodes, int32_t one, int32_t other, bint by_reward) noexcept nogil:
    """Whether a node comes out of a queue before another."""
    cdef const Node* a = &nodes[one]
    cdef const Node* b = &nodes[other]
    if by_reward:
        if a.value != b.value:
            return a.value > b.value
        return a.novelty < b.novelty if a.novelty != b.novelty else one < other
    if a.novelty != b.novelty:
        return a.novelty < b.novelty
    return a.value > b.value if a.value != b.value else one < other


cdef class TwoQueues(BreadthFirst):
    """Best-first search by novelty and by reward in turn."""

    Settings = TwoQueuesSettings

    def __init__(self, game, settings=None, *, controller=None):
        super().__init__(game, settings, controller=controller)
        self.heaps[0] = <int32_t*>malloc(self.max_nodes * sizeof(int32_t))
        self.heaps[1] = <int32_t*>malloc(self.max_nodes * sizeof(int32_t))
        if self.heaps[0] == NULL or self.heaps[1] == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.heaps[0])
        free(self.heaps[1])

    @classmethod
    def cannot_play(cls, game):
        """It needs facts to be novel."""
        return BreadthFirst.cannot_play(game) or Atoms.cannot_read(game)

    def reset(self):
        """Room for the atoms of this game."""
        BreadthFirst.reset(self)
        self.novelty = Novelty(Atoms(self.game), level=NEW_ATOM)

    cdef void begin(self) noexcept nogil:
        self.sizes[0] = self.sizes[1] = 0
        self.turn = 0
        self.novelty.forget()
        self.novelty.atoms.read(self.parent, False)
        self.novelty.memorize()

    cdef bint admit(self, Node* node) noexcept nogil:
        self.novelty.atoms.read(self.state, True)
        node.novelty = <move_t>self.novelty.measure()
        self.novelty.memorize()
        return True

    cdef void push(self, int32_t node) noexcept nogil:
        cdef int q, i, up
        cdef int32_t* heap
        for q in range(2):
            heap = self.heaps[q]
            i = self.sizes[q]
            self.sizes[q] += 1
            while i > 0:
                up = (i - 1) // 2
                if not before(self.nodes, node, heap[up], q):
                    break
                heap[i] = heap[up]
                i = up
            heap[i] = node

    cdef int32_t take(self, int q) noexcept nogil:
        cdef int32_t* heap = self.heaps[q]
        cdef int32_t top = heap[0], last
        cdef int i = 0, down, n
        self.sizes[q] -= 1
        n = self.sizes[q]
        last = heap[n]
        while True:
            down = 2 * i + 1
            if down >= n:
                break
            if down + 1 < n and before(self.nodes, heap[down + 1], heap[down], q):
                down += 1
            if not before(self.nodes, heap[down], last, q):
                break
            heap[i] = heap[down]
            i = down
        heap[i] = last
        return top

    cdef int32_t pop(self) noexcept nogil:
        cdef int32_t node
        while self.sizes[self.turn] > 0:
            node = self.take(self.turn)
            if not self.nodes[node].expanded:
                self.nodes[node].expanded = True
                self.turn = 1 - self.turn
                return node
        return -1       # both queues hold the same nodes that are not expanded


SEARCHES.add("2bfs", TwoQueues)
