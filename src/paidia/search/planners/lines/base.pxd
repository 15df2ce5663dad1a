# `LineSearch`: what nested searches share. They look for one line of moves to the end of a game of one role, and play it.

from paidia.core.model cimport Situation, move_t
from paidia.search.planners.base cimport RootSearch

cdef enum:
    MOST_LEVELS = 8
    LONGEST = 1024          # moves of a line

ctypedef struct Line:
    double value            # of the situation it leads to
    int length
    move_t moves[LONGEST]


cdef class LineSearch(RootSearch):
    cdef Line* lines                # the best line of each level below the present search of the level above
    cdef Line best                  # of this search and those before it, as far as it is still to be played
    cdef int levels
    cdef bint over                  # the time is up
    cdef void** boards              # a situation for each level; use as (<Situation>boards[level])
    cdef list board_owners

    # Search once more at the highest level; its best line is lines[levels].
    cdef void once(self) noexcept nogil
    # What a finished simulation was worth: tell the controller, and the root's move `first` that it began with.
    cdef double finish(self, Situation state, move_t first) noexcept nogil
    cdef double worth(self, Situation state) noexcept nogil
    cdef void follow_up(self) noexcept nogil
    # Make a line of a level: some moves, then a line of the level below.
    cdef void extend(self, Line* line, int depth, move_t move, const Line* rest) noexcept nogil
