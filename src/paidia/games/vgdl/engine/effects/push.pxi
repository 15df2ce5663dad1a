# One sprite moves another.

cdef int bounce_forward(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef double dx = 0, dy = 0
    last_direction(s2, &dx, &dy)
    if dx * s2.ox < 0:
        dx = -dx
    if dy * s2.oy < 0:
        dy = -dy
    walk(g, s1, dx, dy, s2.speed)
    s1.ox = dx
    s1.oy = dy
    return SCORE


effect(bounce_forward, EffectClass(
    "bounceForward", "the first sprite is pushed the way the second moved", sprites="12", writes="1",
))


cdef bint already_pulled(Sim* g, int line, int id) noexcept nogil:
    """Whether this line has pulled this sprite in this tick; notes that it has now."""
    cdef Pulled* grown
    cdef int i, n
    for i in range(g.s.n_pulled):
        if g.s.pulled[i].line == line and g.s.pulled[i].id == id:
            return True
    if g.s.n_pulled == g.s.cap_pulled:
        n = 2 * g.s.cap_pulled + 16
        grown = <Pulled*>realloc(g.s.pulled, n * sizeof(Pulled))
        if grown == NULL:
            return False
        g.s.pulled = grown
        g.s.cap_pulled = n
    g.s.pulled[g.s.n_pulled].line = line
    g.s.pulled[g.s.n_pulled].id = id
    g.s.n_pulled += 1
    return False


cdef int pull_with_it(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef double dx = 0, dy = 0
    if already_pulled(g, e.line, s1.id):
        return SCORE
    last_direction(s2, &dx, &dy)
    shift(g, s1, dx, dy, truncated(s2.speed * g.rules.block))
    if e.pixelPerfect:
        place(g, s1, s2.x, s2.y)
    return SCORE


effect(pull_with_it, EffectClass(
    "pullWithIt", "the first sprite goes along with the second, once a tick",
    parameters={"pixelPerfect": ("bool", False)}, sprites="12", writes="1",
))
