# One tick: the avatars (phase A), all other sprites (B), collisions (C, in collisions.pxi), what died leaves (D), is it over
# (E, F).

cdef void update_avatar(Sim* g, int player, int action) noexcept nogil:
    cdef Sprite* s
    cdef const Type* t
    if g.h.avatar[player] < 0 or at(g, g.h.avatar[player]).flags & DISABLED:
        return
    room(g)
    g.h.last_action[player] = <int8_t>action
    s = at(g, g.h.avatar[player])
    t = type_of(g, s)
    before_update(s)
    t.steer(g, s, t, action)


cdef void drift_and_age(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    """The turn of a sprite whose class has nothing of its own to do."""
    drift(g, s)
    age(g, s)


cdef void update_sprites(Sim* g) noexcept nogil:
    """The lists are live: a sprite made for a type still to come is updated in the same tick."""
    cdef const Rules* r = g.rules
    cdef const Type* t
    cdef Sprite* s
    cdef int i, slot, last
    for i in range(r.n_updates):
        slot = g.groups[r.updates[i]].head
        if slot < 0:
            continue
        t = &r.types[r.updates[i]]
        if t.flags & K_INERT:
            while slot >= 0:
                s = at(g, slot)
                before_update(s)
                slot = s.next
            continue
        if t.update == drift_and_age:       # the most common movers make nothing, so nothing can move under them
            while slot >= 0:
                s = at(g, slot)
                before_update(s)
                drift_and_age(g, s, t)
                slot = s.next
            continue
        # those that the type makes of its own kind wait for the next tick
        last = g.groups[r.updates[i]].tail
        while slot >= 0:
            room(g)
            s = at(g, slot)
            before_update(s)
            t.update(g, s, t)
            if slot == last:
                break
            slot = at(g, slot).next


cdef bint ahead(Sim* g, int player) noexcept nogil:
    """Whether a termination that counts scores makes this player win: alone with any score, of two with no less."""
    if g.rules.n_players == 1:
        return g.h.score[0] != 0
    return g.h.score[player] >= g.h.score[1 - player]


cdef void check_ends(Sim* g) noexcept nogil:
    """The first termination that holds decides; without one the game is lost when its time is up."""
    cdef const End* e
    cdef int i, player
    cdef int8_t again = 0
    for i in range(g.rules.n_ends):
        e = &g.rules.ends[i]
        if e.asked_again:
            again = 1
        if (g.h.counts_changed or e.every_tick) and ENDS[e.code](g, e):
            g.h.ended = 1
            for player in range(g.rules.n_players):
                g.h.winner[player] = <int8_t>(ahead(g, player) if e.count_score else e.win2 if player else e.win)
            break
    g.h.counts_changed = again
    if g.h.tick >= MAX_TICKS:
        g.h.ended = 1
        for player in range(g.rules.n_players):
            if g.h.winner[player] != 1:
                g.h.winner[player] = 0


cdef void advance(Sim* g, const move_t* actions) noexcept nogil:
    cdef int player
    for player in range(g.rules.n_players):
        update_avatar(g, player, actions[player] if actions[player] >= 0 else NIL)
    update_sprites(g)
    handle_events(g)
    if g.s.n_kills or g.s.n_shields or g.s.n_pulled:
        clean_up(g)
    check_ends(g)
    g.h.tick += 1
