# Walls and water in continuous physics.

cdef int wall_stop(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef const Type* t = type_of(g, s1)
    cdef const Type* w = type_of(g, s2)
    cdef double centre_x = fabs((s1.x + t.w / 2.0) - (s2.x + w.w / 2.0))
    cdef double centre_y = fabs((s1.y + t.h / 2.0) - (s2.y + w.h / 2.0))
    cdef int dx = s1.x - s1.lx, dy = s1.y - s1.ly
    cdef double left
    if (dx == 0) != (dy == 0):
        if dy > 0:
            place(g, s1, s1.x, s2.y - t.h)
        elif dx > 0:
            place(g, s1, s2.x - t.w, s1.y)
        elif dy < 0:
            place(g, s1, s1.x, s2.y + w.h)
        else:
            place(g, s1, s2.x + w.w, s1.y)
    else:
        place(g, s1, s1.lx, s1.ly)
    if centre_x > centre_y:
        s1.ox = 0
    else:
        s1.oy = 0
    left = hypot(s1.ox, s1.oy)
    s1.speed *= left
    if t.flags & K_CONT and s1.speed < extra(g, s1).gravity:
        s1.speed = extra(g, s1).gravity
    if left > 0:
        s1.ox /= left
        s1.oy /= left
    return SCORE


effect(wall_stop, EffectClass(
    "wallStop", "the first sprite stands flush at the second and loses its speed towards it", sprites="12", writes="1",
))


cdef bint sideways(Sim* g, Sprite* s) noexcept nogil:
    """Whether the walls that are hit (`g.s.hits`, together one wall) stand beside a sprite; they go back to where they were."""
    cdef const Type* t = type_of(g, s)
    cdef Sprite* wall
    cdef const Hit* hits = g.s.hits
    cdef int n = g.s.n_hits, i, gap_x, gap_y, left = 0, top = 0, right = 0, bottom = 0
    cdef double best = -1, distance
    cdef int first_x = 0, first_y = 0
    cdef bint aligned_x = True, aligned_y = True
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
        return False
    if s.y >= top and s.y + t.h <= bottom:
        return True
    # whichever side was passed last
    gap_x = left - (s.lx + t.w) if s.lx < left else s.lx - right
    gap_y = top - (s.ly + t.h) if s.ly < top else s.ly - bottom
    return gap_x > gap_y


cdef int wall_bounce(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    if sideways(g, s1):
        s1.ox = -s1.ox
    else:
        s1.oy = -s1.oy
    place(g, s1, s1.lx, s1.ly)
    return SCORE


effect(wall_bounce, EffectClass(
    "wallBounce", "the first sprite bounces off, once for all walls that it hits together",
    sprites="12", writes="12", together=True,
))


cdef int wall_reverse(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    sideways(g, s1)
    s1.ox = -s1.ox
    place(g, s1, s1.lx, s1.ly)
    return SCORE


effect(wall_reverse, EffectClass(
    "wallReverse", "the first sprite turns left and right around at a wall, once for all that it hits together",
    sprites="12", writes="12", together=True,
))


cdef int bounce_direction(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef const Type* t = type_of(g, s1)
    cdef const Type* p = type_of(g, s2)
    cdef double offset, angle
    cdef bint flat = p.w >= p.h
    if flat:
        offset = ((s1.x + t.w / 2.0) - (s2.x + p.w / 2.0)) / (p.w / 2.0)
    else:
        offset = ((s1.y + t.h / 2.0) - (s2.y + p.h / 2.0)) / (p.h / 2.0)
    offset = max(-1.0, min(1.0, offset))
    angle = offset * e.own[0] * M_PI / 180
    if flat:
        s1.oy = -cos(angle) if s1.y + t.h / 2.0 < s2.y + p.h / 2.0 else cos(angle)
        s1.ox = sin(angle)
    else:
        s1.ox = -cos(angle) if s1.x + t.w / 2.0 < s2.x + p.w / 2.0 else cos(angle)
        s1.oy = sin(angle)
    place(g, s1, s1.lx, s1.ly)
    return SCORE


effect(bounce_direction, EffectClass(
    "bounceDirection",
    "the first sprite, a ball, bounces off the second; the farther from its middle, the more, up to `maxBounceAngleDeg`",
    parameters={"maxBounceAngleDeg": ("real", 60.0)}, sprites="12", writes="1",
))


cdef int water_physics(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    if g.rules.has_extra:
        extra(g, s1).gravity = 0.2
    return SCORE


effect(water_physics, EffectClass("waterPhysics", "the first sprite falls as in water from now on", writes="1"))
