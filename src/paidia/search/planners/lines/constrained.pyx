# distutils: extra_compile_args = -O1
"""Most constrained first: playouts of one-role games that do next what can be done in the fewest ways.

A move takes facts away: filling a cell takes away that it is blank. Where several legal moves would take away the same fact they
are alternatives, and a fact with a single one has to be dealt with now, before that one is gone too. So a playout goes on with

    a fact that the fewest legal moves take away (chance decides between equals), and a random one of these moves

which is what solvers of constraint problems call the variable with the fewest values left. Playouts are repeated from the
present position until one reaches everything; the best line of all is kept and played (`base`). What a move takes away is looked
up once, where it is legal for the first time in a game; where no move takes anything away chance decides.

A design of this project. A simulation is one playout.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libc.stdlib cimport free
from libc.string cimport memset

from paidia.core.machine.memory cimport malloc
from paidia.core.machine.rng cimport rng_below
from paidia.core.model cimport Situation, move_t
from paidia.search.planners.widths.atoms cimport Atoms
from paidia.search.planners.lines.base cimport LONGEST, Line, LineSearch

import msgspec

from paidia.search.registry import SEARCHES

cdef enum:
    MOST = 16           # facts that are remembered of a move


class ConstrainedSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """There is nothing to set but what all searches for lines share."""

    level: int = 1


cdef class Constrained(LineSearch):
    """Playouts that take the most constrained fact first."""

    Settings = ConstrainedSettings

    cdef Atoms atoms
    cdef int n_moves, n_facts
    cdef int32_t* taken             # [move * MOST + i]: facts that a move takes away
    cdef int32_t* n_taken           # how many, -1: it is not known yet
    cdef int32_t* ways              # by fact: legal moves that take it away
    cdef char* holds                # by fact

    def __init__(self, game, settings=None, *, controller=None):
        super().__init__(game, settings, controller=controller)
        self.atoms = Atoms(game)
        self.n_moves, self.n_facts = game.n_moves, game.n_atoms
        self.taken = <int32_t*>malloc(<size_t>self.n_moves * MOST * sizeof(int32_t))
        self.n_taken = <int32_t*>malloc(<size_t>self.n_moves * sizeof(int32_t))
        self.ways = <int32_t*>malloc((<size_t>self.n_facts + 1) * sizeof(int32_t))
        self.holds = <char*>malloc(<size_t>self.n_facts + 1)
        if self.taken == NULL or self.n_taken == NULL or self.ways == NULL or self.holds == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.taken)
        free(self.n_taken)
        free(self.ways)
        free(self.holds)

    @classmethod
    def cannot_play(cls, game):
        """It needs facts that moves take away."""
        return LineSearch.cannot_play(game) or Atoms.cannot_read(game)

    def reset(self):
        """Nothing is known of any move."""
        cdef int move
        LineSearch.reset(self)
        for move in range(self.n_moves):
            self.n_taken[move] = -1

    def alternatives(self, Situation state not None):
        """How many legal moves take away each fact that some take away, and the moves that a playout would choose from."""
        cdef const move_t* legal = NULL
        cdef int i, n = state.c_legal(0, &legal)
        cdef int fact = self.tightest(state, legal, n)
        counts = {i: self.ways[i] for i in range(self.n_facts) if self.ways[i]}
        return counts, sorted(legal[i] for i in range(n) if fact < 0 or self.takes(legal[i], fact))

    cdef void once(self) noexcept nogil:
        cdef Line* line = &self.lines[self.levels]
        line.value, line.length = -INFINITY, 0
        if (self.best.length > 0 and self.best.value >= 1.0) or not self.next_simulation():
            self.over = True
            return
        (<Situation>self.boards[0]).c_copy(self.root)
        while line.length < LONGEST and not (<Situation>self.boards[0]).c_terminal():
            line.moves[line.length] = self.choose(<Situation>self.boards[0])
            (<Situation>self.boards[0]).c_play(&line.moves[line.length])
            self.steps += 1
            line.length += 1
        line.value = self.finish(<Situation>self.boards[0], line.moves[0])

    cdef move_t choose(self, Situation state) noexcept nogil:
        cdef const move_t* legal = NULL
        cdef int i, n = state.c_legal(0, &legal), fact, seen = 0
        cdef move_t chosen = legal[0]
        if n == 1:
            return chosen
        fact = self.tightest(state, legal, n)
        if fact < 0:
            return legal[rng_below(&self.rng, n)]
        for i in range(n):
            if self.takes(legal[i], fact):
                seen += 1
                if rng_below(&self.rng, seen) == 0:
                    chosen = legal[i]
        return chosen

    cdef bint takes(self, move_t move, int fact) noexcept nogil:
        cdef int i
        for i in range(self.n_taken[move]):
            if self.taken[<Py_ssize_t>move * MOST + i] == fact:
                return True
        return False

    cdef int tightest(self, Situation state, const move_t* legal, int n) noexcept nogil:
        """A fact that the fewest legal moves take away, -1 if none takes any; `ways` is filled."""
        cdef int i, k, best = -1, equal = 0
        cdef int32_t fact
        memset(self.ways, 0, self.n_facts * sizeof(int32_t))
        for i in range(n):
            if self.n_taken[legal[i]] < 0:
                self.look(state, legal[i])
            for k in range(self.n_taken[legal[i]]):
                self.ways[self.taken[<Py_ssize_t>legal[i] * MOST + k]] += 1
        memset(self.holds, 0, self.n_facts)
        self.atoms.read(state, False)
        for i in range(self.atoms.n):
            self.holds[self.atoms.atoms[i]] = 1
        for fact in range(self.n_facts):
            if not self.holds[fact]:        # it was taken away when a move was looked up, and is gone now
                self.ways[fact] = 0
            if self.ways[fact] == 0:
                continue
            if best < 0 or self.ways[fact] < self.ways[best]:
                best, equal = fact, 1
            elif self.ways[fact] == self.ways[best]:
                equal += 1
                if rng_below(&self.rng, equal) == 0:
                    best = fact
        return best

    cdef void look(self, Situation state, move_t move) noexcept nogil:
        """Find out what a move takes away."""
        cdef int i, n = 0
        memset(self.holds, 0, self.n_facts)
        (<Situation>self.boards[1]).c_copy(state)
        (<Situation>self.boards[1]).c_play(&move)
        self.steps += 1
        self.atoms.read(<Situation>self.boards[1], False)
        for i in range(self.atoms.n):
            self.holds[self.atoms.atoms[i]] = 1
        self.atoms.read(state, False)
        for i in range(self.atoms.n):
            if not self.holds[self.atoms.atoms[i]] and n < MOST:
                self.taken[<Py_ssize_t>move * MOST + n] = self.atoms.atoms[i]
                n += 1
        self.n_taken[move] = n


SEARCHES.add("constrained", Constrained)
