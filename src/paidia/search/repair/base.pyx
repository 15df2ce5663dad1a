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


cdef class PythonRepair(Repair):
    """A repair strategy in plain Python: override `judge`. Slow, and right for trying ideas."""

    def judge(self, state, value):
        """What the end of a simulation is to count, None for its value.

        Args:
            state: The situation at its end; it must not be changed.
            value: What it is worth.
        """
        raise NotImplementedError

    cdef bint mend(self, double value, double* result) noexcept nogil:
        with gil:
            try:
                judged = self.judge(self.search.state, value)
                if judged is not None:
                    result[0] = judged
            except BaseException as error:
                self.fail(error)
        return False        # the simulation itself stands as it is
