# The one mover of all sprites, and directions (vectors of length 1, or NIL = (-1, -1)).

from libc.math cimport sqrt

from paidia.games.vgdl.engine.layout cimport Sim, Sprite, truncated, type_of
from paidia.games.vgdl.engine.sprites cimport place

cdef enum:
    STILL, MOVED, TURNED

# The order in which directions are tried and drawn: up, left, down, right. Index 0 is "none" where a
# direction is stored.
cdef inline int step_x(int direction) noexcept nogil:
    return (direction == 3) - (direction == 1)


cdef inline int step_y(int direction) noexcept nogil:
    return (direction == 2) - (direction == 0)


cdef inline void before_update(Sprite* s) noexcept nogil:
    s.lx = s.x
    s.ly = s.y
    s.lastmove += 1


cdef inline bint shift(Sim* g, Sprite* s, double dx, double dy, int pixels) noexcept nogil:
    """Move along a direction unless the cooldown forbids it; the only mover."""
    if pixels == 0:
        pixels = truncated(s.speed)
        if pixels == 0:
            return False
    if type_of(g, s).cooldown <= s.lastmove and (dx != 0 or dy != 0):
        # components of a direction are at most 1, and `pixels` was cut to size before
        place(g, s, s.x + <int>(dx * pixels), s.y + <int>(dy * pixels))
        s.lastmove = 0
        return True
    return False


cdef inline void normalised(double* x, double* y) noexcept nogil:
    cdef double length
    if x[0] == 0 or y[0] == 0:
        x[0] = (x[0] > 0) - (x[0] < 0)
        y[0] = (y[0] > 0) - (y[0] < 0)
        return
    length = sqrt(x[0] * x[0] + y[0] * y[0])
    x[0] /= length
    y[0] /= length
