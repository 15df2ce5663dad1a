# What a situation of a video game is worth (spec 7.2), and the bounds that bring such values to [0, 1].

from libc.math cimport INFINITY

from paidia.core.arcade cimport ArcadeState
from paidia.core.model cimport LOST, WON

cdef enum:
    HUGE = 10000000         # a win or a loss outweighs any score


ctypedef struct Bounds:
    double low
    double high


cdef inline double raw_value(ArcadeState state) noexcept nogil:
    """The score, far above or below all scores once the game is won or lost."""
    cdef int winner = state.c_winner(0)
    return state.c_score() + (HUGE if winner == WON else -HUGE if winner == LOST else 0)


cdef inline void forget_bounds(Bounds* bounds) noexcept nogil:
    bounds.low = INFINITY
    bounds.high = -INFINITY


cdef inline void widen(Bounds* bounds, double value) noexcept nogil:
    if value < bounds.low:
        bounds.low = value
    if value > bounds.high:
        bounds.high = value


cdef inline double normalised(const Bounds* bounds, double value) noexcept nogil:
    """The value on the scale of all that were seen; the middle as long as they are all equal."""
    return (value - bounds.low) / (bounds.high - bounds.low) if bounds.high > bounds.low else 0.5
