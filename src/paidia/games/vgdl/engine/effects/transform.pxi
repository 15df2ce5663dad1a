# Sprites that become other sprites: what the new one takes over from the old one.

cdef void inherit(Sim* g, Sprite* new, Sprite* old) noexcept nogil:
    """What a transformed sprite takes over from the one it was: place before, resources, the player."""
    cdef int i, amount, player = player_of(g, old)
    new.lx = old.lx
    new.ly = old.ly
    if not old.flags & FIXTURE:
        for i in range(g.rules.n_resources):
            amount = resources(old)[i]
            if amount != ABSENT:
                resources(new)[i] = amount if resources(new)[i] == ABSENT else resources(new)[i] + amount
    if player >= 0 and type_of(g, new).flags & K_AVATAR:
        g.h.avatar[player] = new.slot


cdef void retire(Sim* g, Sprite* old) noexcept nogil:
    """The old sprite leaves; the player's avatar that became something else is only disabled."""
    kill(g, old, player_of(g, old) < 0)


cdef void transform(Sim* g, const Effect* e, int new_slot, Sprite* old, Sprite* second) noexcept nogil:
    cdef Sprite* new = at(g, new_slot)
    if e.forceOrientation or (new.flags & ORIENTED and old.flags & ORIENTED and new.ox == 0 and new.oy == 0):
        new.ox = old.ox
        new.oy = old.oy
    inherit(g, new, old)
    new.health = old.health
    retire(g, old)
    if e.killSecond and second != NULL:
        kill(g, second, True)


cdef int transform_to(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef int slot
    if not s1.flags & DISABLED:
        slot = add(g, e.stype, s1.x, s1.y, False)
        if slot >= 0:
            transform(g, e, slot, s1, s2)
    return SCORE


effect(transform_to, EffectClass(
    "transformTo", "the first sprite becomes a `stype`",
    parameters={"stype": ("type", ""), "killSecond": ("bool", False), "forceOrientation": ("bool", False)},
    needs=("stype",),
))


cdef int transform_if_count(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef int slot, n = count_family(g, e.stypeCount)
    cdef bint right = e.geq <= n <= e.leq
    slot = add(g, e.stype if right else e.estype, s1.x, s1.y, True)
    if slot >= 0:
        transform(g, e, slot, s1, s2)
    return SCORE if right else NO_SCORE


effect(transform_if_count, EffectClass(
    "transformIfCount",
    "the first sprite becomes a `stype` if there are from `geq` to `leq` sprites of `stypeCount`, else an `estype`",
    parameters={
        "stype": ("type", ""), "killSecond": ("bool", False), "forceOrientation": ("bool", False),
        "stypeCount": ("type", ""), "estype": ("type", ""), "geq": ("int", 0), "leq": ("int", 10000),
    },
    needs=("stype", "stypeCount"),
))


cdef int transform_to_random_child(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef const Type* t = &g.rules.types[e.stype]
    cdef int i, slot, pick
    if t.n_family < 2:
        return SCORE
    pick = draw_int(g, t.n_family - 1)
    for i in range(t.n_family):
        if t.family[i] == e.stype:
            continue
        if pick == 0:
            slot = add(g, t.family[i], s1.x, s1.y, False)
            if slot >= 0:
                transform(g, e, slot, s1, s2)
            break
        pick -= 1
    return SCORE


effect(transform_to_random_child, EffectClass(
    "transformToRandomChild", "the first sprite becomes one of the subtypes of `stype`, drawn at random",
    parameters={"stype": ("type", ""), "killSecond": ("bool", False), "forceOrientation": ("bool", False)},
    needs=("stype",), makes_family=True, chance=True,
))


cdef int transform_to_all(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    """Where the list stood when the effect began."""
    cdef const Type* t = &g.rules.types[e.stype]
    cdef int i, slot, new, ref2 = ref_of(s2), limit = g.h.next_id
    cdef Sprite* old
    for i in range(t.first_fixture, t.first_fixture + t.n_fixtures):
        if fixture_alive(g, i):
            room(g)
            new = add(g, e.stypeTo, g.rules.fixture_x[i], g.rules.fixture_y[i], True)
            if new >= 0:
                transform(g, e, new, resolve(g, ~i, &g.s.image1), resolve(g, ref2, &g.s.image2))
    slot = g.groups[e.stype].head
    while slot >= 0 and at(g, slot).id < limit:
        room(g)
        old = at(g, slot)
        new = add(g, e.stypeTo, old.x, old.y, True)
        if new >= 0:
            transform(g, e, new, old, resolve(g, ref2, &g.s.image2))
        slot = at(g, slot).next
    return SCORE


effect(transform_to_all, EffectClass(
    "transformToAll", "every `stype` becomes a `stypeTo`",
    parameters={
        "stype": ("type", ""), "killSecond": ("bool", False), "forceOrientation": ("bool", False), "stypeTo": ("type", ""),
    },
    needs=("stype", "stypeTo"), sprites="",
))


cdef void become(Sim* g, int type, Sprite* old, Sprite* faced) noexcept nogil:
    """One step of transformToSingleton; `faced` is what the new sprite looks away from, or NULL."""
    cdef int slot = add(g, type, old.x, old.y, False)
    cdef Sprite* new
    if slot < 0:
        return
    new = at(g, slot)
    if new.flags & ORIENTED and old.flags & ORIENTED:
        new.ox = old.ox
        new.oy = old.oy
    inherit(g, new, old)
    if faced != NULL:
        new.flags |= ORIENTED
        new.ox = -faced.ox
        new.oy = -faced.oy
    retire(g, old)


cdef int transform_to_singleton(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef const Type* t = &g.rules.types[e.stype]
    cdef int i, slot, ref1 = ref_of(s1), ref2 = ref_of(s2), limit = g.h.next_id
    for i in range(t.first_fixture, t.first_fixture + t.n_fixtures):
        if fixture_alive(g, i):
            room(g)
            become(g, e.stype_other, resolve(g, ~i, &g.s.image1), NULL)
    slot = g.groups[e.stype].head
    while slot >= 0 and at(g, slot).id < limit:
        room(g)
        become(g, e.stype_other, at(g, slot), NULL)
        slot = at(g, slot).next
    room(g)
    become(
        g, e.stype, resolve(g, ref1, &g.s.image1), resolve(g, ref2, &g.s.image2) if e.takeOrientation else NULL,
    )
    return SCORE


effect(transform_to_singleton, EffectClass(
    "transformToSingleton",
    "the first sprite becomes the only `stype`: those there were become `stype_other`; with `takeOrientation` it looks"
    " away from the second",
    parameters={"stype": ("type", ""), "stype_other": ("type", ""), "takeOrientation": ("bool", False)},
    needs=("stype", "stype_other"), orients="takeOrientation",
))
