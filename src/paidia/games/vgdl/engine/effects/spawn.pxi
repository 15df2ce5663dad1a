# New sprites where the first one is.

cdef int spawn(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    if draw_real(g) < e.prob:
        add(g, e.stype, s1.x, s1.y, False)
    return SCORE


effect(spawn, EffectClass(
    "spawn", "a `stype` appears at the first sprite",
    parameters={"stype": ("type", ""), "prob": ("chance", 1.0)}, needs=("stype",),
))


cdef int spawn_if_has_more(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef int n
    if draw_real(g) >= e.prob:
        return NO_SCORE
    n = held(s1, e.resource)
    if n < e.limit:
        return NO_SCORE
    add(g, e.stype, s1.x, s1.y, False)
    if e.spend:
        hold(s1, e.resource, max(0, n - e.spend))
    return SCORE


effect(spawn_if_has_more, EffectClass(
    "spawnIfHasMore",
    "a `stype` appears at the first sprite if that holds at least `limit` of a resource, of which it spends `spend`",
    parameters={
        "stype": ("type", ""), "resource": ("resource", ""), "limit": ("int", 0), "prob": ("chance", 1.0), "spend": ("int", 0),
    },
    needs=("stype", "resource"), writes="1",
))


cdef int spawn_if_has_less(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    if draw_real(g) >= e.prob or held(s1, e.resource) > e.limit:
        return NO_SCORE
    add(g, e.stype, s1.x, s1.y, False)
    return SCORE


effect(spawn_if_has_less, EffectClass(
    "spawnIfHasLess", "a `stype` appears at the first sprite if that holds at most `limit` of a resource",
    parameters={"stype": ("type", ""), "resource": ("resource", ""), "limit": ("int", 0), "prob": ("chance", 1.0)},
    needs=("stype", "resource"),
))


cdef int spawn_if_counter_sub_types(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef const Type* t = &g.rules.types[e.stypeCount]
    cdef int i, n = 0, kinds = 0, alive
    for i in range(t.n_family):
        alive = living(g, t.family[i])
        n += alive
        if alive > 0:
            kinds += 1
    if n == e.limit and kinds // 2 == e.subTypesNum:
        add(g, e.stype, s1.x, s1.y, False)
    elif e.estype >= 0:
        add(g, e.estype, s1.x, s1.y, False)
    return SCORE


effect(spawn_if_counter_sub_types, EffectClass(
    "spawnIfCounterSubTypes",
    "a `stype` appears at the first sprite if there are `limit` sprites of `stypeCount` in `subTypesNum` pairs of subtypes,"
    " else an `estype`",
    parameters={
        "stype": ("type", ""), "estype": ("type", ""), "stypeCount": ("type", ""), "subTypesNum": ("int", -1),
        "limit": ("int", 0),
    },
    needs=("stype", "stypeCount"),
))


cdef int clone_sprite(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    add(g, s1.type, s1.x, s1.y, False)
    return SCORE


effect(clone_sprite, EffectClass("cloneSprite", "another sprite of the first one's type appears at it"))


cdef int update_spawn_type(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef const Type* t = &g.rules.types[e.spawnPoint]
    cdef const Type* one
    cdef int i, k, slot
    cdef Extra* x
    for i in range(t.n_family):
        one = &g.rules.types[t.family[i]]
        if not one.flags & K_SPAWNS:
            continue
        slot = g.groups[t.family[i]].head
        while slot >= 0:
            x = extra(g, at(g, slot))
            if one.update != drop_random_missiles:
                x.stype = e.stype
            elif s2 != NULL:            # one entry of its list is replaced
                for k in range(x.n_swaps):
                    if x.swap_to[k] == s2.type:
                        x.swap_to[k] = e.stype
                if x.n_swaps < 4:
                    x.swap_from[x.n_swaps] = s2.type
                    x.swap_to[x.n_swaps] = e.stype
                    x.n_swaps += 1
            slot = at(g, slot).next
    return SCORE


effect(update_spawn_type, EffectClass(
    "updateSpawnType",
    "every producer of type `spawnPoint` makes `stype` from now on; one that makes any of a list does so in the place of the"
    " second sprite's type",
    parameters={"stype": ("type", ""), "spawnPoint": ("type", "")},
    needs=("stype", "spawnPoint"), sprites="", writes_types=("spawnPoint",), extra=True,
))
