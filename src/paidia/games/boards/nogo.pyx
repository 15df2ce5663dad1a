# distutils: extra_compile_args = -O3
"""Nogo: go without captures, plain and misere.

Players put stones in turn, black first; nobody passes. A stone may neither capture nor leave its own string
without liberties. Who cannot move loses; in the misere game, who cannot move wins.
"""

from paidia.core.machine.bits cimport Bits
from paidia.core.model cimport move_t
from paidia.core.machine.rng cimport Rng, rng_below
from paidia.games.boards.stones cimport StonesGame, StonesState, capturing, count, pick, place, playable

from paidia.games.boards.catalogue import BOARDS, BoardGame
from paidia.games.boards.stones import ROLES


cdef class Nogo(StonesGame):
    """The rules of nogo on one board size."""

    cdef bint misere

    def __init__(self, str id, int rows, int columns, *, bint misere=False):
        """`misere`: who cannot move wins."""
        super().__init__(rows, columns)
        self.misere = misere
        self.declare(id, ROLES, rows * columns, rows * columns, 256 * rows * columns)

    def initial_state(self):
        return NogoState(self)


cdef class NogoState(StonesState):
    """One position of nogo."""

    cdef bint misere

    def __init__(self, Nogo game not None):
        self.misere = game.misere
        self.find_open(self.grid.n_words)

    cdef inline void find_open(self, int n_words) noexcept nogil:
        cdef Bits captures
        cdef int i
        playable(self.grid, &self.stones, self.mover, &self.open, n_words)
        capturing(self.grid, &self.stones, self.mover, &captures, n_words)
        for i in range(n_words):
            self.open.w[i] &= ~captures.w[i]
        if count(&self.open, n_words) == 0:
            self.winner = self.mover if self.misere else 1 - self.mover

    def find_moves(self):
        self.winner = -1
        self.find_open(self.grid.n_words)

    cdef inline void step(self, int cell, int n_words) noexcept nogil:
        cdef Bits taken
        place(self.grid, &self.stones, self.mover, cell, &taken, n_words)
        self.mover = 1 - self.mover
        self.find_open(n_words)

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        if self.grid.n_words == 1:
            self.step(joint[self.mover], 1)
        else:
            self.step(joint[self.mover], self.grid.n_words)

    cdef inline int run(self, Rng* rng, int limit, int n_words) noexcept nogil:
        cdef int steps = 0
        while self.winner < 0 and steps < limit:
            self.step(pick(&self.open, rng_below(rng, count(&self.open, n_words)), n_words), n_words)
            steps += 1
        return steps

    cdef int c_playout(self, Rng* rng, int limit) noexcept nogil:
        # Picks from the set of cells instead of a list; a seed plays the same game as in the generic playout.
        if self.grid.n_words == 1:
            return self.run(rng, limit, 1)
        return self.run(rng, limit, self.grid.n_words)


def _register(id, summary, misere):
    BOARDS.add(BoardGame(
        id=id, summary=summary, roles=ROLES,
        make=lambda id, rows, columns: Nogo(id, rows, columns, misere=misere),
    ))


_register("nogo", "go without captures: who cannot move loses", False)
_register("misere-nogo", "nogo in which who cannot move wins", True)
