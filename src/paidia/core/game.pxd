# Abstract games: roles that play for goals. Boards, GDL and games written in Python are of this kind.

from paidia.core.model cimport Rules, Situation


cdef class Game(Rules):
    cdef void declare(self, str id, tuple roles, int n_moves, int max_legal, int n_codes=*) except *


cdef class State(Situation):
    # Goal of each role in [0, 1]. Also defined where the state is not terminal (a search cut at its depth limit).
    cdef void c_goals(self, double* goals) noexcept nogil
