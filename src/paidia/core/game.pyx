# distutils: extra_compile_args = -O1
"""`Game` and `State`: abstract games, whose roles play for goals (see model.pxd for what they share with video games)."""

from paidia.core.model cimport LOST, MAX_ROLES, OPEN, WON, Rules, Situation


cdef class Game(Rules):
    """Immutable rules of an abstract game, shared by all its states."""

    cdef void declare(self, str id, tuple roles, int n_moves, int max_legal, int n_codes=0) except *:
        self.declare_moves(id, roles, n_moves, max_legal, n_codes)
        self.bounded = True


cdef class State(Situation):
    """One mutable position of an abstract game."""

    cdef void c_goals(self, double* goals) noexcept nogil:
        pass

    cdef void c_values(self, double* values) noexcept nogil:
        self.c_goals(values)

    cdef int c_winner(self, int role) noexcept nogil:
        cdef double goals[MAX_ROLES]
        if not self.c_terminal():
            return OPEN
        self.c_goals(goals)
        return WON if goals[role] >= 1.0 else LOST if goals[role] <= 0.0 else OPEN

    @property
    def goals(self):
        """The goal of every role in [0, 1]."""
        return self.values
