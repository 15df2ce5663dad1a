"""The base of pruning strategies."""

from libc.stdint cimport int32_t

from paidia.core.model cimport move_t


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
