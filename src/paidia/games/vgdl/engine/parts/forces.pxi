# Continuous physics: a sprite has a speed in pixels per tick along its orientation; a force divided by the mass is added to
# that velocity.

cdef enum:
    FOOT = 3        # pixels that the ground may be below a sprite that stands on it


cdef int active_force(Sim* g, Sprite* s, double ax, double ay, double speed) noexcept nogil:
    """Add a force to the velocity."""
    cdef const Type* t = type_of(g, s)
    cdef double vx, vy, v
    if speed == 0 or speed == -1:
        speed = s.speed
    vx = ax / t.given.mass + s.ox * speed if t.given.mass != 0 else s.ox * speed
    vy = ay / t.given.mass + s.oy * speed if t.given.mass != 0 else s.oy * speed
    v = hypot(vx, vy)
    s.speed = v if t.given.max_speed == -1 or v <= t.given.max_speed else t.given.max_speed
    s.ox = vx / v if v > 0 else 0
    s.oy = vy / v if v > 0 else 0
    return STILL if ax == 0 and ay == 0 else MOVED


cdef int passive_drift(Sim* g, Sprite* s) noexcept nogil:
    cdef const Type* t = type_of(g, s)
    cdef int moved = STILL
    if s.flags & FIRST_TICK:
        s.flags &= ~FIRST_TICK
        return STILL
    if s.speed != 0 and shift(g, s, s.ox, s.oy, truncated(s.speed)):
        moved = MOVED
    if extra(g, s).gravity > 0 and t.given.mass > 0 and not extra(g, s).on_ground:
        active_force(g, s, 0, extra(g, s).gravity * t.given.mass, 0)
    s.speed *= 1 - t.given.friction
    return moved


cdef void drift_freely(Sim* g, Sprite* s) noexcept nogil:
    """Passive movement in whichever physics the sprite has."""
    if type_of(g, s).flags & K_STILL:
        return
    if type_of(g, s).flags & K_CONT:
        passive_drift(g, s)
    elif s.flags & FIRST_TICK:
        s.flags &= ~FIRST_TICK
    elif s.flags & ORIENTED and s.speed != 0:
        shift(g, s, s.ox, s.oy, truncated(s.speed * g.rules.block))


cdef inline double facing(Sprite* s) noexcept nogil:
    return atan2(s.oy, s.ox)


cdef void touch_ground(Sim* g, Sprite* s, const Sprite* other) noexcept nogil:
    """A falling sprite stands on something solid that is just below it."""
    cdef const Type* t = type_of(g, s)
    cdef const Type* o = type_of(g, other)
    if extra(g, s).on_ground or not o.flags & K_SOLID:
        return
    if (
        s.x < other.x + o.w and other.x < s.x + t.w
        and s.y + FOOT < other.y + o.h and other.y < s.y + FOOT + t.h
        and other.ly > s.ly + t.h // 2 and s.y > s.ly
    ):
        extra(g, s).on_ground = 1
