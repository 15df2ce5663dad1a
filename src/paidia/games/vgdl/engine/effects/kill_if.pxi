# Killing under a condition; without it nothing happens and nothing is scored.

cdef inline int kill_if(Sim* g, bint condition, Sprite* s) noexcept nogil:
    if condition:
        kill(g, s, False)
        return SCORE
    return NO_SCORE


# -------------------------------------------------------------------- what it holds

cdef int kill_if_has_less(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    return kill_if(g, held(s1, e.resource) <= e.limit, s1)


effect(kill_if_has_less, EffectClass(
    "killIfHasLess", "the first sprite dies if it holds at most `limit` of a resource",
    parameters={"resource": ("resource", ""), "limit": ("int", 0)}, needs=("resource",),
))


cdef int kill_if_has_more(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    return kill_if(g, held(s1, e.resource) >= e.limit, s1)


effect(kill_if_has_more, EffectClass(
    "killIfHasMore", "the first sprite dies if it holds at least `limit` of a resource",
    parameters={"resource": ("resource", ""), "limit": ("int", 0)}, needs=("resource",),
))


cdef int kill_if_other_has_more(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef int n = held(s2, e.resource)
    if n < e.limit:
        return NO_SCORE
    kill(g, s1, False)
    if e.subtract:
        hold(s2, e.resource, max(0, n - e.limit))
    return SCORE


effect(kill_if_other_has_more, EffectClass(
    "killIfOtherHasMore",
    "the first sprite dies if the second holds at least `limit` of a resource, which `subtract` takes from it",
    parameters={"resource": ("resource", ""), "limit": ("int", 0), "subtract": ("bool", False)},
    needs=("resource",), sprites="12", writes="2",
))


# -------------------------------------------------------------------- how they meet

cdef int kill_if_from_above(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    return kill_if(g, s1.ly > s2.ly + type_of(g, s2).h // 2 and s2.y > s2.ly, s1)


effect(kill_if_from_above, EffectClass(
    "killIfFromAbove", "the first sprite dies if the second falls on it", sprites="12",
))


cdef bint frontal(const Sprite* s1, const Sprite* s2, bint wanted) noexcept nogil:
    cdef double ax = 0, ay = 0, bx = 0, by = 0
    last_direction(s1, &ax, &ay)
    last_direction(s2, &bx, &by)
    if ax == 0 and ay == 0:
        return True
    return (ax + bx == 0 and ay + by == 0) == wanted


cdef int kill_if_frontal(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    return kill_if(g, frontal(s1, s2, True), s1)


effect(kill_if_frontal, EffectClass(
    "killIfFrontal", "the first sprite dies if the two moved towards each other, or it did not move", sprites="12",
))


cdef int kill_if_not_frontal(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    return kill_if(g, frontal(s1, s2, False), s1)


effect(kill_if_not_frontal, EffectClass(
    "killIfNotFrontal", "the first sprite dies unless the two moved towards each other", sprites="12",
))


cdef int kill_if_alive(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    return kill_if(g, not is_killed(g, ref_of(s2)), s1)


effect(kill_if_alive, EffectClass(
    "killIfAlive", "the first sprite dies unless the second has been killed in this tick", sprites="12",
))


# -------------------------------------------------------------------- how they move (continuous physics)

cdef double relative_speed(Sim* g, const Sprite* s1, const Sprite* s2) noexcept nogil:
    if type_of(g, s1).flags & K_STATIC:
        return s2.speed
    if type_of(g, s2).flags & K_STATIC:
        return s1.speed
    return hypot(s1.ox - s2.ox, s1.oy - s2.oy)


cdef int kill_if_slow(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    return kill_if(g, relative_speed(g, s1, s2) < e.limspeed, s1)


effect(kill_if_slow, EffectClass(
    "killIfSlow", "the first sprite dies if the two meet at less than `limspeed`",
    parameters={"limspeed": ("real", 1.0)}, sprites="12",
))


cdef int kill_if_fast(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    return kill_if(g, relative_speed(g, s1, s2) > e.limspeed, s1)


effect(kill_if_fast, EffectClass(
    "killIfFast", "the first sprite dies if the two meet at more than `limspeed`",
    parameters={"limspeed": ("real", 1.0)}, sprites="12",
))


cdef int kill_if_not_upright(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef double angle = extra(g, s1).rotation if g.rules.has_extra else facing(s1)
    while angle < 0:
        angle += 2 * M_PI
    while angle >= 2 * M_PI:
        angle -= 2 * M_PI
    return kill_if(g, not 4.4 < angle < 5.0, s1)


effect(kill_if_not_upright, EffectClass("killIfNotUpright", "the first sprite dies unless it points up"))
