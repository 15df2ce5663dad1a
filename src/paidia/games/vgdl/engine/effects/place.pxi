# Somewhere else at once.

cdef int wrap_around(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef const Type* t = type_of(g, s1)
    cdef int x = s1.x, y = s1.y
    if s1.ox > 0:
        x = truncated(e.offset * t.w)
    elif s1.ox < 0:
        x = truncated(g.rules.pixel_width - t.w * (1 + e.offset))
    elif s1.oy > 0:
        y = truncated(e.offset * t.h)
    elif s1.oy < 0:
        y = truncated(g.rules.pixel_height - t.h * (1 + e.offset))
    s1.lastmove = 0
    place(g, s1, x, y)
    return SCORE


effect(wrap_around, EffectClass(
    "wrapAround", "the first sprite comes in again on the other side, `offset` sprites from the edge",
    parameters={"offset": ("real", 0.0)}, writes="1",
))


cdef int teleport_to_exit(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef const Type* t = type_of(g, s2)
    cdef Sprite* target = NULL
    cdef int i, n, slot, type
    if not t.flags & K_LEADS:
        return SCORE
    type = t.stypes[0] if t.n_stypes else -1
    n = g.groups[type].records + g.groups[type].fixtures if type >= 0 else 0
    if n == 0:
        kill(g, s1, False)
        return SCORE
    n = draw_int(g, n)
    t = &g.rules.types[type]
    for i in range(t.first_fixture, t.first_fixture + t.n_fixtures):
        if fixture_alive(g, i):
            if n == 0:
                target = resolve(g, ~i, &g.s.image2)
            n -= 1
    slot = g.groups[type].head
    while slot >= 0:
        if n == 0:
            target = at(g, slot)
        n -= 1
        slot = at(g, slot).next
    s1.lastmove = 0
    place(g, s1, target.x, target.y)
    if target.flags & ORIENTED:
        s1.ox = target.ox
        s1.oy = target.oy
    return SCORE


effect(teleport_to_exit, EffectClass(
    "teleportToExit",
    "the first sprite goes to one of the sprites that the second leads to, drawn at random; it dies where there is none",
    sprites="12", writes="1", chance=True,
))
