"""The base of pruning strategies."""

from libc.stdint cimport int32_t

from paidia.core.model cimport move_t
from paidia.search.nodes.tree cimport NOT_NOVEL, TESTED, SequenceEdge


cdef class Pruning(Strategy):
    """Marks moves that selection leaves out. It needs a tree of sequences and a game of one role."""

    needs = ("sequences", "weights")

    def cannot_play(self, game):
        """It looks at the moves of one role."""
        return "" if game.n_roles == 1 else f"pruning is for games of one role, and {game.id} has {game.n_roles}"

    cdef void tree_changed(self, bint kept) noexcept nogil:
        pass

    cdef void reserve(self) noexcept nogil:
        pass

    cdef void enter(self, int32_t node, const move_t* moves, int n) noexcept nogil:
        pass

    cdef int marks_at(self, int32_t node) noexcept nogil:
        return 0


cdef class PythonPruning(Pruning):
    """Pruning in plain Python: override `keeps`. Slow, and right for trying ideas."""

    def keeps(self, state, moves):
        """Which moves selection may choose at a node, a truth value for each; asked once, when the node is first passed.

        Args:
            state: A situation of the node; it must not be changed.
            moves: The moves that are legal in it.
        """
        raise NotImplementedError

    cdef void enter(self, int32_t node, const move_t* moves, int n) noexcept nogil:
        cdef SequenceEdge* above = &self.search.tree.edge_more[self.search.tree.node_more[node].incoming]
        cdef int32_t edge
        cdef int i
        if above.marks & TESTED:
            return
        above.marks |= TESTED
        with gil:
            try:
                kept = list(self.keeps(self.search.state, [moves[i] for i in range(n)]))
                if len(kept) != n:
                    raise ValueError(f"keeps() returned {len(kept)} values; there are {n} moves")
                for i in range(n):
                    edge = self.search.tree.edge_of(node, 0, moves[i])
                    if edge >= 0 and not kept[i]:
                        self.search.tree.edge_more[edge].marks |= NOT_NOVEL
            except BaseException as error:
                self.fail(error)

    cdef int marks_at(self, int32_t node) noexcept nogil:
        return NOT_NOVEL
