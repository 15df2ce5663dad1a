# Where a sprite looks.

cdef int reverse_direction(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    s1.ox = -s1.ox
    s1.oy = -s1.oy
    return SCORE


effect(reverse_direction, EffectClass("reverseDirection", "the first sprite looks the other way", writes="1"))


cdef int flip_direction(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef int direction = draw_int(g, 4)
    s1.ox = step_x(direction)
    s1.oy = step_y(direction)
    return SCORE


effect(flip_direction, EffectClass("flipDirection", "the first sprite looks in a random direction", writes="1", chance=True))


cdef int turn_around(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    place(g, s1, s1.lx, s1.ly)
    s1.lastmove = type_of(g, s1).cooldown
    walk(g, s1, 0, 1, s1.speed)
    s1.lastmove = type_of(g, s1).cooldown
    walk(g, s1, 0, 1, s1.speed)
    s1.ox = -s1.ox
    s1.oy = -s1.oy
    return SCORE


effect(turn_around, EffectClass(
    "turnAround", "the first sprite goes back, two steps down, and looks the other way", writes="1",
))


cdef int attract_gaze(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    if s1.flags & ORIENTED and s2.flags & ORIENTED and draw_real(g) < e.prob:
        s1.ox = s2.ox
        s1.oy = s2.oy
        if e.align:
            if s2.oy == 0 and (s2.ox == 1 or s2.ox == -1):
                place(g, s1, s1.x, s2.y)
            else:
                place(g, s1, s2.x, s1.y)
    return SCORE


effect(attract_gaze, EffectClass(
    "attractGaze", "the first sprite looks where the second looks, and with `align` stands in line with it",
    parameters={"align": ("bool", False), "prob": ("chance", 1.0)}, sprites="12", writes="1",
))


cdef int align(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    if e.orient:
        s1.ox = s2.ox
        s1.oy = s2.oy
    place(g, s1, s2.x, s2.y)
    return SCORE


effect(align, EffectClass(
    "align", "the first sprite comes to the place of the second, and with `orient` looks where it looks",
    parameters={"orient": ("bool", True)}, sprites="12", writes="1",
))
