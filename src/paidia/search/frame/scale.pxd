# Values without bounds (scores) brought to [0, 1] by the extremes of all that were seen in a game.

from libc.math cimport INFINITY

ctypedef struct Bounds:
    double low
    double high


cdef inline void forget_bounds(Bounds* bounds) noexcept nogil:
    bounds.low = INFINITY
    bounds.high = -INFINITY


cdef inline void widen(Bounds* bounds, double value) noexcept nogil:
    if value < bounds.low:
        bounds.low = value
    if value > bounds.high:
        bounds.high = value


cdef inline double on_scale(const Bounds* bounds, double value) noexcept nogil:
    """The value on the scale of all that were seen; the middle as long as they are all equal."""
    return (value - bounds.low) / (bounds.high - bounds.low) if bounds.high > bounds.low else 0.5
