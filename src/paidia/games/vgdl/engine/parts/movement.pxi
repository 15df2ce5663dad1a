# How sprites move: the one mover of all, directions (vectors of length 1, or NIL = (-1, -1)), passive movement (drift), active
# movement (walk); continuous physics branch off to forces.pxi.

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


cdef inline int drift(Sim* g, Sprite* s) noexcept nogil:
    """Passive movement along the sprite's own orientation."""
    cdef double speed
    cdef const Type* t = type_of(g, s)
    if t.flags & K_STILL:
        return STILL
    if t.flags & K_CONT:
        return passive_drift(g, s)
    if s.flags & FIRST_TICK:
        s.flags &= ~FIRST_TICK
        return STILL
    speed = 1.0 if s.speed == -1 else s.speed
    if speed != 0 and s.flags & ORIENTED and shift(g, s, s.ox, s.oy, truncated(speed * g.rules.block)):
        return MOVED
    return STILL


cdef inline int walk(Sim* g, Sprite* s, double dx, double dy, double speed) noexcept nogil:
    """Active movement: an action of the avatar or an NPC, or a push."""
    cdef const Type* t = type_of(g, s)
    if t.flags & K_STATIONARY:
        return STILL
    if t.flags & K_CONT:
        return active_force(g, s, dx, dy, speed)
    if speed == 0:
        speed = 1.0 if s.speed <= 0 else s.speed
    if speed != 0 and (dx != 0 or dy != 0):
        if t.flags & K_ROTATE and s.flags & ORIENTED and (s.ox != dx or s.oy != dy):
            s.ox = dx
            s.oy = dy
            return TURNED
        if shift(g, s, dx, dy, truncated(speed * g.rules.block)):
            return MOVED
    return STILL


cdef inline void age(Sim* g, Sprite* s) noexcept nogil:
    """The timeToLive rule of the base update."""
    if s.ttl >= 0:
        if s.ttl == 0:
            kill(g, s, False)
        else:
            s.ttl -= 1


cdef void act(Sim* g, Sprite* s, int direction) noexcept nogil:
    """Active move in one of the four directions (0 .. 3), or none (-1)."""
    if direction >= 0:
        walk(g, s, step_x(direction), step_y(direction), s.speed)
    else:
        walk(g, s, 0, 0, s.speed)


cdef inline bint left_its_cell(Sim* g, const Sprite* s) noexcept nogil:
    """Whether its rectangle no longer overlaps the one it had when the tick began."""
    return abs(s.x - s.lx) >= type_of(g, s).w or abs(s.y - s.ly) >= type_of(g, s).h


cdef inline void last_direction(const Sprite* s, double* dx, double* dy) noexcept nogil:
    dx[0] = s.x - s.lx
    dy[0] = s.y - s.ly
    normalised(dx, dy)


cdef inline double action_x(int action) noexcept nogil:
    return (action == RIGHT) - (action == LEFT)


cdef inline double action_y(int action) noexcept nogil:
    return (action == DOWN) - (action == UP)
