# How a sprite moves by itself (drift) and when it acts or is pushed (walk); continuous physics branch off
# here.

from paidia.games.vgdl.engine.continuous cimport active_force, passive_drift
from paidia.games.vgdl.engine.layout cimport (
    FIRST_TICK, K_CONT, K_ROTATE, K_STATIONARY, K_STILL, ORIENTED, Sim, Sprite, Type, truncated, type_of,
)
from paidia.games.vgdl.engine.movement cimport MOVED, STILL, TURNED, shift
from paidia.games.vgdl.engine.sprites cimport kill


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
