"""Continuous physics: forces, gravity and friction, and the classes and effects that only make sense with
them.

A sprite has a speed in pixels per tick along its orientation. A force divided by the mass is added to that
velocity.
"""

from libc.math cimport M_PI, atan2, cos, fabs, hypot, sin

from paidia.games.vgdl.engine.chance cimport draw_int, draw_real
from paidia.games.vgdl.engine.effects cimport NO_SCORE, SCORE
from paidia.games.vgdl.engine.layout cimport (
    A_DOWN, A_LEFT, A_RIGHT, A_UP, A_USE, BirdAvatar, CarAvatar, FIRST_TICK, FROM_AVATAR,
    K_AIRSTEERING, K_CONT, K_SOLID, K_STATIC, K_STILL, ORIENTED, PlatformerAvatar,
    SpaceshipAvatar, WalkerJumper, WizardAvatar, AimedAvatar, Effect, Sim, Sprite, Type, at,
    bounceDirection, extra, killIfFast, killIfNotUpright, killIfSlow, truncated, type_of, wallReverse,
    wallStop, waterPhysics,
)
from paidia.games.vgdl.engine.movement cimport MOVED, STILL, shift
from paidia.games.vgdl.engine.sprites cimport add, kill, place, resolve

cdef int active_force(Sim* g, Sprite* s, double ax, double ay, double speed) noexcept nogil:
    """Add a force to the velocity."""
    cdef const Type* t = type_of(g, s)
    cdef double vx, vy, v
    if speed == 0 or speed == -1:
        speed = s.speed
    vx = ax / t.mass + s.ox * speed if t.mass != 0 else s.ox * speed
    vy = ay / t.mass + s.oy * speed if t.mass != 0 else s.oy * speed
    v = hypot(vx, vy)
    s.speed = v if t.max_speed == -1 or v <= t.max_speed else t.max_speed
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
    if extra(g, s).gravity > 0 and t.mass > 0 and not extra(g, s).on_ground:
        active_force(g, s, 0, extra(g, s).gravity * t.mass, 0)
    s.speed *= 1 - t.friction
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


cdef void turn(Sprite* s, double angle) noexcept nogil:
    """Rotate the orientation."""
    cdef double x = s.ox, y = s.oy
    s.ox = x * cos(angle) - y * sin(angle)
    s.oy = x * sin(angle) + y * cos(angle)


cdef void jump(Sim* g, Sprite* s) noexcept nogil:
    cdef const Type* t = type_of(g, s)
    s.oy = 0
    active_force(g, s, 0, -t.jump, s.speed)
    s.lastmove = t.cooldown
    shift(g, s, 0, -1, 5)


cdef void build_block(Sim* g, Sprite* s) noexcept nogil:
    """WizardAvatar: a block in front of it, at most every five ticks."""
    cdef const Type* t = type_of(g, s)
    cdef int i, slot
    cdef double side = -1.2 if s.ox < 0 else 1.2
    if g.h.tick - extra(g, s).last_shot < 5:
        return
    extra(g, s).last_shot = g.h.tick
    for i in range(t.n_stypes):
        slot = add(g, t.stypes[i], truncated(s.x + side * t.w), s.y, False)
        if slot >= 0:
            at(g, slot).flags |= FROM_AVATAR


cdef void update_continuous_avatar(Sim* g, Sprite* s, int action, double dx, double dy) noexcept nogil:
    cdef const Type* t = type_of(g, s)
    cdef double rotation, thrust
    cdef int slot
    if t.cls == PlatformerAvatar or t.cls == WizardAvatar:
        drift_freely(g, s)
        if dx != 0:
            if extra(g, s).on_ground:
                active_force(g, s, dx * t.ground_factor, 0, s.speed)
            else:
                active_force(g, s, dx / t.air_factor, 0, s.speed)
        if action == A_USE and extra(g, s).on_ground:
            jump(g, s)
        if t.cls == WizardAvatar and action == A_UP:
            build_block(g, s)
        extra(g, s).on_ground = 0
    elif t.cls == BirdAvatar:
        drift_freely(g, s)
        if action == A_USE:
            s.oy = 0
            active_force(g, s, 0, -t.jump, s.speed)
        active_force(g, s, 1 if fabs(s.ox) < 0.5 else 0, 0, s.speed)
    elif t.cls == AimedAvatar:
        if action == A_UP:
            turn(s, -t.angle)
        elif action == A_DOWN:
            turn(s, t.angle)
    else:       # CarAvatar, SpaceshipAvatar, LanderAvatar steer by turning
        drift_freely(g, s)
        rotation = extra(g, s).rotation
        if action == A_LEFT:
            rotation -= t.angle
        elif action == A_RIGHT:
            rotation += t.angle
        extra(g, s).rotation = rotation
        if t.cls == CarAvatar:
            thrust = 0
            if action == A_UP:
                extra(g, s).on_ground = 0
            elif action == A_DOWN:
                extra(g, s).on_ground = 1       # reverse gear
            if extra(g, s).on_ground:
                thrust = M_PI
            active_force(g, s, cos(rotation + thrust), sin(rotation + thrust), 5)
        else:
            if action == A_UP:
                active_force(g, s, cos(rotation), sin(rotation), s.speed)
            if t.cls == SpaceshipAvatar and action == A_USE and t.n_stypes:
                slot = add(
                    g, t.stypes[0], truncated(s.x + cos(rotation) * t.w),
                    truncated(s.y + sin(rotation) * t.h), False,
                )
                if slot >= 0:
                    at(g, slot).flags |= FROM_AVATAR
                    at(g, slot).ox = cos(rotation)
                    at(g, slot).oy = sin(rotation)


cdef void update_walker(Sim* g, Sprite* s) noexcept nogil:
    cdef const Type* t = type_of(g, s)
    cdef double side
    drift_freely(g, s)
    if t.flags & K_AIRSTEERING or s.x == s.lx:
        side = 1 if s.ox > 0 else -1
        if s.ox == 0:
            side = 1 if draw_int(g, 2) else -1
        active_force(g, s, side, 0, t.max_speed)
    if t.flags & K_CONT:
        if t.cls == WalkerJumper and extra(g, s).on_ground and draw_real(g) < t.prob:
            active_force(g, s, 0, -t.jump, s.speed)
        extra(g, s).on_ground = 0


cdef void update_inertial(Sim* g, Sprite* s) noexcept nogil:
    """RandomInertial: a random push in every tick."""
    cdef int direction = draw_int(g, 4)
    drift_freely(g, s)
    active_force(g, s, (direction == 3) - (direction == 1), (direction == 2) - (direction == 0), s.speed)


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


# -------------------------------------------------------------------- effects

cdef void stop_at_wall(Sim* g, Sprite* s, const Sprite* wall) noexcept nogil:
    """wallStop: stand flush at the wall and lose the velocity towards it."""
    cdef const Type* t = type_of(g, s)
    cdef const Type* w = type_of(g, wall)
    cdef double centre_x = fabs((s.x + t.w / 2.0) - (wall.x + w.w / 2.0))
    cdef double centre_y = fabs((s.y + t.h / 2.0) - (wall.y + w.h / 2.0))
    cdef int dx = s.x - s.lx, dy = s.y - s.ly
    cdef double left
    if (dx == 0) != (dy == 0):
        if dy > 0:
            place(g, s, s.x, wall.y - t.h)
        elif dx > 0:
            place(g, s, wall.x - t.w, s.y)
        elif dy < 0:
            place(g, s, s.x, wall.y + w.h)
        else:
            place(g, s, wall.x + w.w, s.y)
    else:
        place(g, s, s.lx, s.ly)
    if centre_x > centre_y:
        s.ox = 0
    else:
        s.oy = 0
    left = hypot(s.ox, s.oy)
    s.speed *= left
    if t.flags & K_CONT and s.speed < extra(g, s).gravity:
        s.speed = extra(g, s).gravity
    if left > 0:
        s.ox /= left
        s.oy /= left


cdef void bounce_off(Sim* g, const Effect* e, int ref, const Hit* hits, int n) noexcept nogil:
    """wallBounce and wallReverse: one bounce for all walls that are hit at once."""
    cdef Sprite* s = resolve(g, ref, &g.s.image1)
    cdef const Type* t = type_of(g, s)
    cdef Sprite* wall
    cdef int i, gap_x, gap_y, left = 0, top = 0, right = 0, bottom = 0
    cdef double best = -1, distance
    cdef int first_x = 0, first_y = 0
    cdef bint aligned_x = True, aligned_y = True, sideways
    for i in range(n):
        wall = resolve(g, hits[i].ref, &g.s.image2)
        if i == 0:
            first_x, first_y = wall.x, wall.y
        aligned_x = aligned_x and wall.x == first_x
        aligned_y = aligned_y and wall.y == first_y
    for i in range(n):
        wall = resolve(g, hits[i].ref, &g.s.image2)
        distance = hypot(
            (s.x + t.w / 2.0) - (wall.x + type_of(g, wall).w / 2.0),
            (s.y + t.h / 2.0) - (wall.y + type_of(g, wall).h / 2.0),
        )
        if n > 1 and (aligned_x or aligned_y) and i > 0:        # neighbours in a line are one wall
            left = min(left, wall.x)
            top = min(top, wall.y)
            right = max(right, wall.x + type_of(g, wall).w)
            bottom = max(bottom, wall.y + type_of(g, wall).h)
        elif i == 0 or distance < best:
            left, top = wall.x, wall.y
            right, bottom = wall.x + type_of(g, wall).w, wall.y + type_of(g, wall).h
            best = distance
        place(g, wall, wall.lx, wall.ly)
    if s.x >= left and s.x + t.w <= right:
        sideways = False
    elif s.y >= top and s.y + t.h <= bottom:
        sideways = True
    else:       # whichever side was passed last
        gap_x = left - (s.lx + t.w) if s.lx < left else s.lx - right
        gap_y = top - (s.ly + t.h) if s.ly < top else s.ly - bottom
        sideways = gap_x > gap_y
    if e.code == wallReverse:
        s.ox = -s.ox
    elif sideways:
        s.ox = -s.ox
    else:
        s.oy = -s.oy
    place(g, s, s.lx, s.ly)


cdef void bounce_from_paddle(Sim* g, const Effect* e, Sprite* s, const Sprite* paddle) noexcept nogil:
    """bounceDirection: the farther from the middle the ball hits, the more it is turned."""
    cdef const Type* t = type_of(g, s)
    cdef const Type* p = type_of(g, paddle)
    cdef double offset, angle
    cdef bint flat = p.w >= p.h
    if flat:
        offset = ((s.x + t.w / 2.0) - (paddle.x + p.w / 2.0)) / (p.w / 2.0)
    else:
        offset = ((s.y + t.h / 2.0) - (paddle.y + p.h / 2.0)) / (p.h / 2.0)
    offset = max(-1.0, min(1.0, offset))
    angle = offset * e.real * M_PI / 180
    if flat:
        s.oy = -cos(angle) if s.y + t.h / 2.0 < paddle.y + p.h / 2.0 else cos(angle)
        s.ox = sin(angle)
    else:
        s.ox = -cos(angle) if s.x + t.w / 2.0 < paddle.x + p.w / 2.0 else cos(angle)
        s.oy = sin(angle)
    place(g, s, s.lx, s.ly)


cdef double relative_speed(Sim* g, const Sprite* s1, const Sprite* s2) noexcept nogil:
    if type_of(g, s1).flags & K_STATIC:
        return s2.speed
    if type_of(g, s2).flags & K_STATIC:
        return s1.speed
    return hypot(s1.ox - s2.ox, s1.oy - s2.oy)


cdef int continuous_effect(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef double angle
    if e.code == wallStop:
        stop_at_wall(g, s1, s2)
    elif e.code == bounceDirection:
        bounce_from_paddle(g, e, s1, s2)
    elif e.code == killIfSlow or e.code == killIfFast:
        angle = relative_speed(g, s1, s2)
        if (angle < e.real) if e.code == killIfSlow else (angle > e.real):
            kill(g, s1, False)
            return SCORE
        return NO_SCORE
    elif e.code == killIfNotUpright:
        angle = extra(g, s1).rotation if g.rules.has_extra else facing(s1)
        while angle < 0:
            angle += 2 * M_PI
        while angle >= 2 * M_PI:
            angle -= 2 * M_PI
        if 4.4 < angle < 5.0:
            return NO_SCORE
        kill(g, s1, False)
    elif e.code == waterPhysics and g.rules.has_extra:
        extra(g, s1).gravity = 0.2
    return SCORE
