# `RootSearch`: what searches share that compare the moves of the one role at the root.

from libc.stdint cimport int64_t

from paidia.core.model cimport Situation, move_t
from paidia.search.frame.search cimport Search

ctypedef struct Option:
    # One move at the root.
    move_t move
    int64_t visits          # simulations behind it
    double value            # what is known of it: a sum, or the best
    int64_t tries           # looks at the move alone, and how many of them were lost
    int64_t losses
    bint safe


cdef class RootSearch(Search):
    cdef bint sprites           # a video game: it has an avatar, and waiting (NIL) is always possible
    cdef bint with_nil          # waiting is a move like others
    cdef Situation state        # of the present simulation
    cdef Option* options
    cdef int n_options

    # The moves of a situation, in `out`; how many.
    cdef int list_moves(self, Situation state, move_t* out) noexcept nogil
    # Fill `options` with those of the situation that the search starts from, nothing known of them; how many.
    cdef int list_options(self, Situation start) noexcept nogil
