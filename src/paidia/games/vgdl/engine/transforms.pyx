"""Sprites that become other sprites: what the new one takes over from the old one."""

from paidia.games.vgdl.engine.chance cimport draw_int
from paidia.games.vgdl.engine.layout cimport (
    ABSENT, FIXTURE, K_AVATAR, ORIENTED, Effect, Sim, Sprite, Type, at, fixture_alive, resources, type_of,
)
from paidia.games.vgdl.engine.sprites cimport add, kill, resolve, room


cdef void inherit(Sim* g, Sprite* new, Sprite* old) noexcept nogil:
    """What a transformed sprite takes over from the one it was: place before, resources, the player."""
    cdef int i, amount
    new.lx = old.lx
    new.ly = old.ly
    if not old.flags & FIXTURE:
        for i in range(g.rules.n_resources):
            amount = resources(old)[i]
            if amount != ABSENT:
                resources(new)[i] = amount if resources(new)[i] == ABSENT else resources(new)[i] + amount
    if not old.flags & FIXTURE and g.h.avatar == old.slot and type_of(g, new).flags & K_AVATAR:
        g.h.avatar = new.slot


cdef void retire(Sim* g, Sprite* old) noexcept nogil:
    """The old sprite leaves; the player's avatar that became something else is only disabled."""
    kill(g, old, old.flags & FIXTURE or g.h.avatar != old.slot)


cdef void transform(Sim* g, const Effect* e, int new_slot, Sprite* old, Sprite* second) noexcept nogil:
    cdef Sprite* new = at(g, new_slot)
    if e.force or (new.flags & ORIENTED and old.flags & ORIENTED and new.ox == 0 and new.oy == 0):
        new.ox = old.ox
        new.oy = old.oy
    inherit(g, new, old)
    new.health = old.health
    retire(g, old)
    if e.kill_second and second != NULL:
        kill(g, second, True)


cdef void transform_all(Sim* g, const Effect* e, int ref2) noexcept nogil:
    """transformToAll: every sprite of one type, where the list stood when the effect began."""
    cdef const Type* t = &g.rules.types[e.stype]
    cdef int i, slot, new, limit = g.h.next_id
    cdef Sprite* old
    for i in range(t.first_fixture, t.first_fixture + t.n_fixtures):
        if fixture_alive(g, i):
            room(g)
            new = add(g, e.stype2, g.rules.fixture_x[i], g.rules.fixture_y[i], True)
            if new >= 0:
                transform(g, e, new, resolve(g, ~i, &g.s.image1), resolve(g, ref2, &g.s.image2))
    slot = g.groups[e.stype].head
    while slot >= 0 and at(g, slot).id < limit:
        room(g)
        old = at(g, slot)
        new = add(g, e.stype2, old.x, old.y, True)
        if new >= 0:
            transform(g, e, new, old, resolve(g, ref2, &g.s.image2))
        slot = at(g, slot).next


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


cdef void transform_to_singleton(Sim* g, const Effect* e, int ref1, int ref2) noexcept nogil:
    cdef const Type* t = &g.rules.types[e.stype]
    cdef int i, slot, limit = g.h.next_id
    for i in range(t.first_fixture, t.first_fixture + t.n_fixtures):
        if fixture_alive(g, i):
            room(g)
            become(g, e.stype2, resolve(g, ~i, &g.s.image1), NULL)
    slot = g.groups[e.stype].head
    while slot >= 0 and at(g, slot).id < limit:
        room(g)
        become(g, e.stype2, at(g, slot), NULL)
        slot = at(g, slot).next
    room(g)
    become(
        g, e.stype, resolve(g, ref1, &g.s.image1), resolve(g, ref2, &g.s.image2) if e.flag else NULL
    )


cdef void random_child(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef const Type* t = &g.rules.types[e.stype]
    cdef int i, slot, pick
    if t.n_family < 2:
        return
    pick = draw_int(g, t.n_family - 1)
    for i in range(t.n_family):
        if t.family[i] == e.stype:
            continue
        if pick == 0:
            slot = add(g, t.family[i], s1.x, s1.y, False)
            if slot >= 0:
                transform(g, e, slot, s1, s2)
            return
        pick -= 1
