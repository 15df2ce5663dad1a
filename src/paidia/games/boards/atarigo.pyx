# distutils: extra_compile_args = -O3
"""Atarigo: go in which the first capture wins.

Players put stones in turn, black first; nobody passes. A stone that would leave its own string without
liberties, capturing nothing, is illegal, and a player without a legal move loses. In `atarigo-suicide` such a
stone is legal and loses the game.
"""

from paidia.core.machine.bits cimport Bits
from paidia.core.model cimport move_t
from paidia.core.machine.rng cimport Rng, rng_below
from paidia.games.boards.stones cimport StonesGame, StonesState, count, pick, place, playable

from paidia.games.boards.catalogue import BOARDS, BoardGame
from paidia.games.boards.stones import ROLES


cdef class Atarigo(StonesGame):
    """The rules of atarigo on one board size."""

    cdef bint suicide

    def __init__(self, str id, int rows, int columns, *, bint suicide=False):
        """`suicide`: a stone without liberties may be put, and loses."""
        super().__init__(rows, columns)
        self.suicide = suicide
        self.declare(id, ROLES, rows * columns, rows * columns, 256 * rows * columns)

    def initial_state(self):
        return AtarigoState(self)


cdef class AtarigoState(StonesState):
    """One position of atarigo."""

    cdef bint suicide

    def __init__(self, Atarigo game not None):
        self.suicide = game.suicide
        self.find_open(self.grid.n_words)

    cdef inline void find_open(self, int n_words) noexcept nogil:
        if self.suicide:
            self.open = self.stones.empty
        else:
            playable(self.grid, &self.stones, self.mover, &self.open, n_words)
        if count(&self.open, n_words) == 0:
            self.winner = 1 - self.mover

    def find_moves(self):
        self.winner = -1
        self.find_open(self.grid.n_words)

    cdef inline void step(self, int cell, int n_words) noexcept nogil:
        cdef Bits taken
        cdef int outcome = place(self.grid, &self.stones, self.mover, cell, &taken, n_words)
        if outcome != 0:
            self.winner = self.mover if outcome > 0 else 1 - self.mover
            self.mover = 1 - self.mover
        else:
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


def _register(id, summary, suicide):
    BOARDS.add(BoardGame(
        id=id, summary=summary, roles=ROLES,
        make=lambda id, rows, columns: Atarigo(id, rows, columns, suicide=suicide),
    ))


_register("atarigo", "go in which the first capture wins", False)
_register("atarigo-suicide", "atarigo in which suicide is legal, and loses", True)
