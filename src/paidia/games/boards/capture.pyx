# distutils: extra_compile_args = -O3
"""Atarigo and nogo: games of the go family that a capture ends, or in which there is none.

Players put stones in turn, black first; nobody passes. A stone that would leave its own string without
liberties, capturing nothing, is illegal, and who cannot move loses. In atarigo the first capture wins; in
`atarigo-suicide` a stone without liberties is legal and loses the game. In nogo no stone may capture; in
`misere-nogo` who cannot move wins.
"""

from paidia.core.machine.bits cimport Bits, flip, lowest
from paidia.core.model cimport move_t, note_move
from paidia.core.machine.rng cimport Rng, rng_below
from paidia.games.boards.stones cimport StonesGame, StonesState, capturing, count, keeps_two, pick, place, playable, roomy

from paidia.games.boards.catalogue import BOARDS, BoardGame
from paidia.games.boards.stones import ROLES


ctypedef struct Rules:
    bint suicide        # a stone without liberties may be put, and loses
    bint captures       # a stone may capture, and wins
    bint misere         # who cannot move wins


cdef class Capture(StonesGame):
    """The rules of one of these games on one board size."""

    cdef Rules rules

    def __init__(self, str id, int rows, int columns, *, bint suicide=False, bint captures=True, bint misere=False):
        super().__init__(rows, columns)
        self.rules = Rules(suicide, captures, misere)
        self.declare(id, ROLES, rows * columns, rows * columns, 256 * rows * columns)
        self.decisive = captures

    def initial_state(self):
        return CaptureState(self)


cdef class CaptureState(StonesState):
    """One position."""

    cdef Rules rules

    def __init__(self, Capture game not None):
        self.rules = game.rules
        self.find_open(self.grid.n_words)

    cdef inline void find_open(self, int n_words) noexcept nogil:
        cdef Bits captures
        cdef int i
        if self.rules.suicide:
            self.open = self.stones.empty
        else:
            playable(self.grid, &self.stones, self.mover, &self.open, n_words)
        if not self.rules.captures:
            capturing(self.grid, &self.stones, self.mover, &captures, n_words)
            for i in range(n_words):
                self.open.w[i] &= ~captures.w[i]
        if count(&self.open, n_words) == 0:
            self.winner = self.mover if self.rules.misere else 1 - self.mover

    def find_moves(self):
        self.winner = -1
        self.find_open(self.grid.n_words)

    cdef inline void step(self, int cell, int n_words) noexcept nogil:
        cdef Bits taken
        cdef int outcome = place(self.grid, &self.stones, self.mover, cell, &taken, n_words)
        self.mover = 1 - self.mover
        if outcome == 0:
            self.find_open(n_words)
        else:
            self.winner = 1 - self.mover if outcome > 0 else self.mover

    cdef inline void find_decisive(self, Bits* cells, int n_words) noexcept nogil:
        """Where the mover captures; else where it leaves nothing that can be captured; else all it can."""
        cdef Bits rest
        cdef int i, cell, role = self.mover
        capturing(self.grid, &self.stones, role, cells, n_words)
        if count(cells, n_words):
            return
        capturing(self.grid, &self.stones, 1 - role, &rest, n_words)
        if count(&rest, n_words) == 0:
            roomy(self.grid, &self.stones, cells, n_words)
            rest = self.open
        for i in range(n_words):
            rest.w[i] &= self.open.w[i] & ~cells.w[i]
            while rest.w[i]:
                cell = 64 * i + lowest(rest.w[i])
                rest.w[i] &= rest.w[i] - 1
                if keeps_two(self.grid, &self.stones, role, cell, n_words):
                    flip(cells, cell)
        if count(cells, n_words) == 0:
            cells[0] = self.open

    cdef int c_decisive(self, int role, const move_t** moves) noexcept nogil:
        cdef Bits cells
        if not self.game.decisive or role != self.mover:
            return self.c_legal(role, moves)
        moves[0] = self.moves
        if self.grid.n_words == 1:
            self.find_decisive(&cells, 1)
        else:
            self.find_decisive(&cells, self.grid.n_words)
        return self.list_cells(&cells)

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        if self.grid.n_words == 1:
            self.step(joint[self.mover], 1)
        else:
            self.step(joint[self.mover], self.grid.n_words)

    cdef inline int run(self, Rng* rng, int limit, move_t* played, int n_words, const bint decisive) noexcept nogil:
        cdef Bits cells
        cdef int steps = 0, cell
        while self.winner < 0 and steps < limit:
            if decisive:
                self.find_decisive(&cells, n_words)
            else:
                cells = self.open
            cell = pick(&cells, rng_below(rng, count(&cells, n_words)), n_words)
            note_move(played, steps, self.mover, cell)
            self.step(cell, n_words)
            steps += 1
        return steps

    cdef int c_playout(self, Rng* rng, int limit, move_t* played) noexcept nogil:
        # Picks from the set of cells instead of a list; a seed plays the same game as in the generic playout.
        if self.grid.n_words == 1:
            return self.run(rng, limit, played, 1, False)
        return self.run(rng, limit, played, self.grid.n_words, False)

    cdef int c_decisive_playout(self, Rng* rng, int limit, move_t* played) noexcept nogil:
        if not self.game.decisive:
            return self.c_playout(rng, limit, played)
        if self.grid.n_words == 1:
            return self.run(rng, limit, played, 1, True)
        return self.run(rng, limit, played, self.grid.n_words, True)


def _register(id, summary, **rules):
    BOARDS.add(BoardGame(
        id=id, summary=summary, roles=ROLES, make=lambda id, rows, columns: Capture(id, rows, columns, **rules),
    ))


_register("atarigo", "go in which the first capture wins")
_register("atarigo-suicide", "atarigo in which suicide is legal, and loses", suicide=True)
_register("nogo", "go without captures: who cannot move loses", captures=False)
_register("misere-nogo", "nogo in which who cannot move wins", captures=False, misere=True)
