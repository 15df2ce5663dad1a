# Running effects: their score and history, those that wait for a time, those at the edge of the world.

# -------------------------------------------------------------------- running one effect

cdef inline void note_event(Sim* g, const Sprite* active, int passive, int passive_id) noexcept nogil:
    cdef Event e
    e.tick = g.h.tick
    e.active = <int16_t>active.type
    e.passive = <int16_t>passive
    e.from_avatar = 0 if type_of(g, active).flags & K_AVATAR else 1
    e.x = active.x
    e.y = active.y
    e.active_id = active.id
    e.passive_id = passive_id
    record(g, &e)


cdef inline bint watched(Sim* g, int ref) noexcept nogil:
    """Whether what happens to this sprite is an event: it is an avatar or comes from one."""
    return ref >= 0 and (at(g, ref).flags & SHOT or type_of(g, at(g, ref)).flags & K_AVATAR)


cdef inline int type_of_ref(Sim* g, int ref) noexcept nogil:
    return at(g, ref).type if ref >= 0 else g.rules.fixture_type[~ref]


cdef inline int id_of_ref(Sim* g, int ref) noexcept nogil:
    return at(g, ref).id if ref >= 0 else g.rules.fixture_id[~ref]


cdef int apply(Sim* g, const Effect* e, int ref1, int ref2) noexcept nogil:
    """Run an effect; returns which of its score changes counts."""
    cdef Sprite* s1
    cdef Sprite* s2
    room(g)
    s1 = resolve(g, ref1, &g.s.image1)
    s2 = resolve(g, ref2, &g.s.image2)
    if (s2 == NULL and e.traits & ON_SECOND) or (s1 == NULL and e.traits & ON_FIRST):
        return SCORE
    return RUN[e.code](g, e, s1, s2)


cdef void execute(Sim* g, const Effect* e, int ref1, int ref2) noexcept nogil:
    """Run an effect, give its score, and enter what the avatar had to do with in the history."""
    cdef int earned = apply(g, e, ref1, ref2)
    if earned == SCORE:
        earn(g, e)
    elif earned == SCORE_KILLED:
        g.h.score[0] += e.scoreChangeIfKilled
        g.h.score[1] += e.scoreChangeIfKilled2
    if ref2 != NONE_REF:
        enter_event(g, ref1, ref2)


cdef void enter_event(Sim* g, int ref1, int ref2) noexcept nogil:
    """The first of the pair that is an avatar or its shot is the active one."""
    if watched(g, ref1):
        note_event(g, at(g, ref1), type_of_ref(g, ref2), id_of_ref(g, ref2))
    elif watched(g, ref2):
        note_event(g, at(g, ref2), type_of_ref(g, ref1), id_of_ref(g, ref1))


# -------------------------------------------------------------------- time

cdef void insert_timer(Sim* g, int effect, int tick, bint alone) noexcept nogil:
    """Put a time effect in the queue, before those of the same tick. It lives in a slot like a sprite."""
    cdef int slot = take_slot(g)
    cdef int before = -1, after = g.h.timers
    cdef Sprite* s
    if slot < 0:
        return
    while after >= 0 and at(g, after).lastmove < tick:
        before = after
        after = at(g, after).next
    s = at(g, slot)
    s.slot = slot
    s.id = -1
    s.flags = 0
    s.lastmove = tick
    s.a = effect
    s.b = alone
    s.next = <int16_t>after
    if before >= 0:
        at(g, before).next = <int16_t>slot
    else:
        g.h.timers = slot


cdef bint run_timed(Sim* g, int effect) noexcept nogil:
    """Run a declared time effect on all its sprites; whether there was any."""
    cdef const Rule* rule = &g.rules.time_rules[effect]
    cdef const Effect* e = &g.rules.effects[effect]
    cdef const Type* t
    cdef int i, k, slot, limit = g.h.next_id
    cdef bint ran = False
    for i in range(rule.n_first):
        t = &g.rules.types[rule.first_types[i]]
        if g.groups[rule.first_types[i]].fixtures:
            for k in range(t.first_fixture, t.first_fixture + t.n_fixtures):
                if fixture_alive(g, k) and not is_killed(g, ~k):
                    apply(g, e, ~k, NONE_REF)
                    earn(g, e)
                    ran = True
        slot = g.groups[rule.first_types[i]].head
        while slot >= 0 and at(g, slot).id < limit:
            if not at(g, slot).flags & (KILLED | DISABLED):
                apply(g, e, slot, NONE_REF)
                earn(g, e)
                ran = True
            slot = at(g, slot).next
    return ran


cdef void run_times(Sim* g) noexcept nogil:
    cdef int slot, effect
    cdef bint alone
    while g.h.timers >= 0 and at(g, g.h.timers).lastmove <= g.h.tick:
        slot = g.h.timers
        effect = at(g, slot).a
        alone = at(g, slot).b
        g.h.timers = at(g, slot).next
        free_slot(g, slot)
        if alone:
            apply(g, &g.rules.effects[effect], NONE_REF, NONE_REF)
            earn(g, &g.rules.effects[effect])
        else:
            run_timed(g, effect)
        if g.rules.effects[effect].repeating:
            insert_timer(g, effect, g.h.tick + max(1, g.rules.effects[effect].timer), alone)


# -------------------------------------------------------------------- the edge of the world

cdef inline bint at_edge(Sim* g, const Sprite* s) noexcept nogil:
    return (
        s.x < 0 or s.y < 0 or s.x + type_of(g, s).w > g.rules.pixel_width
        or s.y + type_of(g, s).h > g.rules.pixel_height
    )


cdef void run_edge(Sim* g, const Rule* rule) noexcept nogil:
    cdef const Effect* e = &g.rules.effects[rule.effect]
    cdef int i, slot, tail
    for i in range(rule.n_first):
        slot = g.groups[rule.first_types[i]].head
        tail = g.groups[rule.first_types[i]].tail
        while slot >= 0:
            if at_edge(g, at(g, slot)) and not at(g, slot).flags & (KILLED | DISABLED):
                execute(g, e, slot, NONE_REF)
                if g.groups[rule.first_types[i]].tail != tail:
                    break       # the list grew while it was read
            slot = at(g, slot).next
