# distutils: extra_compile_args = -O1
"""The base of repair strategies."""


cdef class Repair(Strategy):
    """Looks at the end of a simulation before it is backed up. It needs a tree of sequences and a game of one role."""

    needs = ("sequences", "weights")

    def cannot_play(self, game):
        """It tries other moves of one role."""
        return "" if game.n_roles == 1 else f"repairing simulations is for games of one role, and {game.id} has {game.n_roles}"

    cdef bint mend(self, double value, double* result) noexcept nogil:
        return False
