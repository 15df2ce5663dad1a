"""Nested Monte-Carlo search for games of one role: each move is chosen by searches of the level below.

    level 0    a uniformly random playout
    level n    at every position of its line, each legal move is tried with a search of level n - 1; a line that is better
               than the best so far replaces it, then the next move of the best line is played

Cazenave 2009 (Nested Monte-Carlo search). A line that is as good as the best does not replace it; of a position's moves each is
tried once, in generation order. Setting: level (2). A simulation is one playout.
"""

from libc.math cimport INFINITY

from paidia.core.model cimport Situation, move_t
from paidia.core.machine.rng cimport rng_below
from paidia.search.planners.lines.base cimport LONGEST, Line, LineSearch

import msgspec

from paidia.search.registry import SEARCHES


class NestedMonteCarloSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How deep searches are nested."""

    level: int = 2


cdef class NestedMonteCarlo(LineSearch):
    """Nested Monte-Carlo search."""

    Settings = NestedMonteCarloSettings

    cdef void once(self) noexcept nogil:
        (<Situation>self.boards[self.levels]).c_copy(self.root)
        self.nest(self.levels, -1)

    cdef void nest(self, int level, move_t first) noexcept nogil:
        """Search from the situation of a level; `first` is the root's move that led there, -1 at the root."""
        cdef Line* line = &self.lines[level]
        cdef const move_t* legal = NULL
        cdef move_t move
        cdef int depth = 0, i, n
        line.value, line.length = -INFINITY, 0
        while depth < LONGEST and not (<Situation>self.boards[level]).c_terminal():
            n = (<Situation>self.boards[level]).c_legal(0, &legal)
            for i in range(n):
                move = legal[i]
                (<Situation>self.boards[level - 1]).c_copy(<Situation>self.boards[level])
                (<Situation>self.boards[level - 1]).c_play(&move)
                self.steps += 1
                if level == 1:
                    self.play_out(first if first >= 0 else (move if depth == 0 else line.moves[0]))
                else:
                    self.nest(level - 1, first if first >= 0 else (move if depth == 0 else line.moves[0]))
                if self.lines[level - 1].value > line.value:
                    self.extend(line, depth, move, &self.lines[level - 1])
                if self.over:
                    return
            if depth >= line.length:
                return
            (<Situation>self.boards[level]).c_play(&line.moves[depth])
            self.steps += 1
            depth += 1
        if line.length == 0:        # it started at the end of the game
            line.value = self.worth(<Situation>self.boards[level])
            if level < self.levels and self.next_simulation():
                self.finish(<Situation>self.boards[level], first)
            elif level < self.levels:
                self.over = True

    cdef void play_out(self, move_t first) noexcept nogil:
        """Level 0."""
        cdef Line* line = &self.lines[0]
        cdef const move_t* legal = NULL
        cdef int n
        line.value, line.length = -INFINITY, 0
        if not self.next_simulation():
            self.over = True
            return
        while line.length < LONGEST and not (<Situation>self.boards[0]).c_terminal():
            n = (<Situation>self.boards[0]).c_legal(0, &legal)
            line.moves[line.length] = legal[rng_below(&self.rng, n)] if n > 1 else legal[0]
            (<Situation>self.boards[0]).c_play(&line.moves[line.length])
            self.steps += 1
            line.length += 1
        line.value = self.finish(<Situation>self.boards[0], first)


SEARCHES.add("nested-monte-carlo", NestedMonteCarlo)
