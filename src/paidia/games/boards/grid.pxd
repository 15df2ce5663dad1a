# The shell that all boards share: two roles, pieces on a grid, seen as planes, text or drawing. What a position is made of, and
# how it changes, is each game's own.

from libc.stdint cimport uint64_t

from paidia.core.game cimport Game, State
from paidia.core.machine.bits cimport Bits, mix, test


cdef class GridGame(Game):
    # The rules of a game of two roles on rows x columns cells; cell row * columns + column, row 0 at the bottom.
    cdef readonly int rows
    cdef readonly int columns
    cdef readonly str symbols       # the letters of the two roles' pieces

    cdef void declare_grid(self, int rows, int columns, str symbols=*) except *


cdef class GridState(State):
    # The role whose piece is in a cell, or -1.
    cdef int c_content(self, int row, int column) noexcept nogil
    # For games in which pieces are put and stay (see GridGame.replay): put one as a move would, and say who is to move.
    cdef void c_put(self, int role, int row, int column) noexcept nogil
    cdef void c_hand_over(self, int role) noexcept nogil


cdef inline void share_goals(double* goals, int winner) noexcept nogil:
    """1 for the winner and 0 for the other, or a half each (winner -1)."""
    goals[0] = goals[1] = 0.5
    if winner >= 0:
        goals[winner] = 1.0
        goals[1 - winner] = 0.0


cdef inline int holder(const Bits* pieces, int bit) noexcept nogil:
    """Which of the two roles has a piece at a bit, or -1."""
    return 0 if test(&pieces[0], bit) else 1 if test(&pieces[1], bit) else -1


cdef inline uint64_t key_of(uint64_t key, const Bits* pieces, int n_words) noexcept nogil:
    """A key that also tells where the pieces of the two roles are."""
    cdef int role, i
    for role in range(2):
        for i in range(n_words):
            key = mix(key, pieces[role].w[i])
    return key
