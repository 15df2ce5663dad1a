# Health points.

cdef int first_of_last_group(Sim* g, int type) noexcept nogil:
    """First sprite of the last subtype that has any; such types have no fixtures, since their health changes."""
    cdef const Type* t = &g.rules.types[type]
    cdef int i, found = NONE_REF
    for i in range(t.n_family):
        if g.groups[t.family[i]].head >= 0:
            found = g.groups[t.family[i]].head
    return found


cdef int subtract_health_points(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef int ref
    if e.stype >= 0:
        ref = first_of_last_group(g, e.stype)
        if ref == NONE_REF:
            return SCORE
        s1 = at(g, ref)
    elif s1 == NULL:
        return SCORE
    s1.health -= <int>e.value
    if s1.health <= e.limit:
        kill(g, s1, False)
        return SCORE_KILLED
    return SCORE


effect(subtract_health_points, EffectClass(
    "subtractHealthPoints",
    "the first sprite (or the first of type `stype`) loses `value` points of health; at `limit` it dies, which scores"
    " `scoreChangeIfKilled`",
    parameters={
        "value": ("int", 1), "limit": ("int", 0), "scoreChangeIfKilled": ("score", "0"), "stype": ("type", ""),
    },
    sprites="", writes="1", writes_types=("stype",),
))


cdef inline int healed(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    s1.max_health = max(s1.max_health, s1.health)
    if e.killSecond and s2 != NULL:
        kill(g, s2, False)
    return SCORE


cdef int add_health_points(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    if s1.health + <int>e.value >= type_of(g, s1).limit_health:
        return NO_SCORE
    s1.health += <int>e.value
    return healed(g, e, s1, s2)


effect(add_health_points, EffectClass(
    "addHealthPoints", "the first sprite gains `value` points of health if that stays below its limit",
    parameters={"value": ("int", 1), "killSecond": ("bool", False)}, writes="1",
))


cdef int add_health_points_to_max(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    s1.health = min(s1.health + <int>e.value, type_of(g, s1).limit_health)
    return healed(g, e, s1, s2)


effect(add_health_points_to_max, EffectClass(
    "addHealthPointsToMax", "the first sprite gains `value` points of health, up to its limit",
    parameters={"value": ("int", 1), "killSecond": ("bool", False)}, writes="1",
))
