# How fast sprites are.

cdef enum:
    FASTER, SLOWER, AS_SAID


cdef int change_speeds(Sim* g, const Effect* e, int how) noexcept nogil:
    cdef const Type* t = &g.rules.types[e.stype]
    cdef int i, slot
    cdef Sprite* s
    for i in range(t.n_family):
        slot = g.groups[t.family[i]].head
        while slot >= 0:
            s = at(g, slot)
            s.speed = e.value if how == AS_SAID else s.speed + e.value if how == FASTER else max(0.0, s.speed - e.value)
            slot = s.next
    return SCORE


cdef int increase_speed_to_all(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    return change_speeds(g, e, FASTER)


effect(increase_speed_to_all, EffectClass(
    "increaseSpeedToAll", "every `stype` becomes faster by `value`",
    parameters={"stype": ("type", ""), "value": ("real", 0.1)}, needs=("stype",), sprites="", writes_types=("stype",),
))


cdef int decrease_speed_to_all(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    return change_speeds(g, e, SLOWER)


effect(decrease_speed_to_all, EffectClass(
    "decreaseSpeedToAll", "every `stype` becomes slower by `value`",
    parameters={"stype": ("type", ""), "value": ("real", 0.1)}, needs=("stype",), sprites="", writes_types=("stype",),
))


cdef int set_speed_for_all(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    return change_speeds(g, e, AS_SAID)


effect(set_speed_for_all, EffectClass(
    "setSpeedForAll", "every `stype` has speed `value` from now on",
    parameters={"stype": ("type", ""), "value": ("real", 0.0)}, needs=("stype",), sprites="", writes_types=("stype",),
))


cdef int half_speed(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    s1.speed *= 0.5
    return SCORE


effect(half_speed, EffectClass("halfSpeed", "the first sprite becomes half as fast", writes="1"))
