# distutils: extra_compile_args = -O1
"""Breadth-first tree initialisation and safety prepruning (BFTI): every move is looked at before any is simulated.

At the start of a search each move is played on up to M = 3 copies of the root. Moves with more losses than the best are
left out in this search; the mean value of a move's situations counts as one visit of its node and of the root; the
situations wait in the node, each for one simulation.

Soemers 2016, section 4.1.1; docs/readings.md#bfti.
 The moves take turns, so that what time cuts short is cut for all alike. A move that time
left untried stays in. In a deterministic game one look is enough.
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport free

from paidia.core.machine.memory cimport malloc
from paidia.core.model cimport LOST, Rules, move_t
from paidia.search.frame.clock cimport clock_late
from paidia.search.evaluation.base cimport plain_value
from paidia.search.root.base cimport RootStrategy
from paidia.search.frame.strategy cimport flag
from paidia.search.nodes.tree cimport NONE, UNSAFE, SequenceEdge, fits

from paidia.search.registry import ROOTS

ctypedef struct Look:
    int losses
    int seen
    double total
    int32_t child


cdef class Bfti(RootStrategy):
    """Looks at every move of the root.

    Options:
        looks: How often each move is tried (M).
        again: Also where an old tree was kept that has all children of the new root.
    """

    needs = ("sequences", "weights", "waiting")
    options = ("looks", "again")

    cdef readonly int looks
    cdef bint again
    cdef Look* at

    def __init__(self, *, int looks=3, again=True):
        if not 1 <= looks <= 16:
            raise ValueError(f"looks is a number from 1 to 16, not {looks}")
        self.looks, self.again = looks, flag("again", again)

    def __dealloc__(self):
        free(self.at)

    def cannot_play(self, Rules game not None):
        """It tries the moves of one role."""
        return "" if game.n_roles == 1 else f"BFTI is for games of one role, and {game.id} has {game.n_roles}"

    def begin_game(self, Rules game not None):
        free(self.at)
        self.at = <Look*>malloc(game.max_legal * sizeof(Look))
        if self.at == NULL:
            raise MemoryError

    cdef void plant(self) noexcept nogil:
        cdef SequenceEdge* more
        cdef const move_t* moves = NULL
        cdef int n = self.search.root.c_legal(0, &moves), i, look, fewest
        cdef int tries = 1 if self.search.deterministic else self.looks
        cdef int32_t root = self.search.root_node
        cdef double start = plain_value(self.search.root, 0)
        cdef bint complete = True
        cdef Look* at = self.at
        if n == 0 or (not fits(self.search.tree, root, moves, n) and not self.search.tree.adopt(root, 0, moves, n)):
            return
        for i in range(n):
            at[i].losses = at[i].seen = 0
            at[i].total = 0.0
            at[i].child = self.search.tree.edges[self.search.tree.edge_of(root, 0, moves[i])].child
            complete = complete and at[i].child != NONE
        if complete and self.search.reuses and not self.again:
            return
        for i in range(n):
            if at[i].child == NONE:
                at[i].child = self.search.child_of(root, moves[i])
            if at[i].child == NONE:         # the tree is full: nothing to initialise
                return
            more = &self.search.tree.edge_more[self.search.tree.node_more[at[i].child].incoming]
            more.marks &= ~UNSAFE
        for look in range(n * tries):
            if clock_late(&self.search.clock):
                break
            i = look % n
            self.search.branch(self.search.spare, self.search.root)
            self.search.advance(self.search.spare, moves + i)
            at[i].losses += self.search.spare.c_winner(0) == LOST
            at[i].total += self.search.evaluate(self.search.spare, 0)
            at[i].seen += 1
            self.search.put_aside(at[i].child, self.search.spare)
        fewest = tries + 1
        for i in range(n):
            if at[i].seen and at[i].losses < fewest:
                fewest = at[i].losses
        for i in range(n):
            if at[i].seen:
                self.search.credit(at[i].child, at[i].total / at[i].seen, 1.0, start)
                self.search.credit(root, at[i].total / at[i].seen, 1.0, start)
                if at[i].losses > fewest:
                    more = &self.search.tree.edge_more[self.search.tree.node_more[at[i].child].incoming]
                    more.marks |= UNSAFE


ROOTS.add("bfti", Bfti)
