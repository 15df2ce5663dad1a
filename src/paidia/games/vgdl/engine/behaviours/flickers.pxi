# Sprites that live for a few ticks.

cdef void flicker(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    drift(g, s)
    age(g, s)
    if s.a > t.given.limit:
        kill(g, s, False)
    s.a += 1


sprite_class(flicker, SpriteClass("Flicker", "lives for `limit` ticks", parameters={"limit": ("int", 1)}))
sprite_class(NULL, SpriteClass(
    "OrientedFlicker", "a Flicker with a direction", "Flicker", defaults={"speed": 0.0}, oriented=True,
))


cdef void spread(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    cdef int direction
    flicker(g, s, t)
    if s.a == 2:
        for direction in range(4):
            if draw_real(g) < t.given.spreadprob:
                add(
                    g, t.stypes[0] if t.n_stypes else s.type,
                    s.lx + step_x(direction) * t.w, s.ly + step_y(direction) * t.h, False,
                )


sprite_class(spread, SpriteClass(
    "Spreader", "a Flicker that makes `stype` (or its like) around it, each with probability `spreadprob`", "Flicker",
    parameters={"spreadprob": ("chance", 1.0), "stype": ("type", "")},
))
