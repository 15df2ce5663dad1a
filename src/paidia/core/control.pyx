# distutils: extra_compile_args = -O1
"""`Controller`: who sets the search parameters between simulations, turns and games (see control.pxd)."""


cdef class Controller:
    """Leaves every parameter as it is; the base of all controllers."""

    cdef void begin_simulation(self, double* vectors, int width) noexcept nogil:
        pass

    cdef void end_simulation(self, const double* goals) noexcept nogil:
        pass

    cdef void fresh(self, int role, double* vector) noexcept nogil:
        pass

    def begin_game(self, int n_roles, list names, seed):
        """A new game starts: forget everything. `names` are the parameters, in the order of a vector."""

    def begin_turn(self, int turn):
        """A search starts; `turn` is the number of joint moves played so far.

        The search of the start clock and that of the first move are both of turn 0; the number never falls.
        """
