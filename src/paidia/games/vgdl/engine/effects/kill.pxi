# Killing without a condition.

cdef int kill_sprite(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    kill(g, s1, False)
    return SCORE


effect(kill_sprite, EffectClass("killSprite", "the first sprite dies"))


cdef int kill_both(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    kill(g, s1, False)
    kill(g, s2, False)
    return SCORE


effect(kill_both, EffectClass("killBoth", "both sprites die", sprites="12"))


cdef int kill_all(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef const Type* t = &g.rules.types[e.stype]
    cdef int i, slot = g.groups[e.stype].head
    for i in range(t.first_fixture, t.first_fixture + t.n_fixtures):
        if fixture_alive(g, i):
            kill(g, resolve(g, ~i, &g.s.image1), False)
    while slot >= 0:
        kill(g, at(g, slot), False)
        slot = at(g, slot).next
    return SCORE


effect(kill_all, EffectClass(
    "killAll", "every sprite of type `stype` dies",
    parameters={"stype": ("type", "")}, needs=("stype",), sprites="",
))
