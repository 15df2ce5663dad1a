# distutils: extra_compile_args = -O1
"""The base of root strategies."""

from libc.stdint cimport int32_t

from paidia.search.nodes.tree cimport UNSAFE


cdef class RootStrategy(Strategy):
    """Prepares the root of a search."""

    cdef void look(self) noexcept nogil:
        pass

    cdef void plant(self) noexcept nogil:
        pass

    def keep(self, int step, previous):
        """What is left of the last tree: (node that becomes the root, factor on its statistics), or None.

        Args:
            step: Joint moves played so far.
            previous: (step, move) of the last search of this game, None if there was none.
        """
        return None


cdef class PythonRoot(RootStrategy):
    """A root strategy in plain Python: override `unsafe`. Slow, and right for trying ideas."""

    needs = ("sequences", "weights")

    def cannot_play(self, game):
        """It looks at the moves of one role."""
        return "" if game.n_roles == 1 else f"such a root strategy is for games of one role, and {game.id} has {game.n_roles}"

    def unsafe(self, state, moves):
        """The moves that this search leaves out, as long as others are left.

        Args:
            state: Where the search starts; copies of it may be played on.
            moves: The moves that are legal in it.
        """
        raise NotImplementedError

    cdef void plant(self) noexcept nogil:
        cdef int32_t edge
        with gil:
            try:
                moves = self.search.root.legal(0)
                for move in set(self.unsafe(self.search.root, moves)):
                    if move not in moves:
                        raise ValueError(f"unsafe() returned {move!r}, which is not legal")
                    edge = self.search.tree.edge_of(self.search.root_node, 0, move)
                    if edge >= 0:
                        self.search.tree.edge_more[edge].marks |= UNSAFE
            except BaseException as error:
                self.fail(error)
