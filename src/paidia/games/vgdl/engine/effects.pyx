"""What interactions do to sprites: `apply` runs one effect on a pair of sprites and says which score it
earns.

The file is long because the language has sixty effects; each is a short branch or a function of its own.
"""

from libc.stdint cimport int16_t, uint64_t
from libc.stdlib cimport abs, realloc

from paidia.games.vgdl.engine.chance cimport draw_int, draw_real
from paidia.games.vgdl.engine.continuous cimport continuous_effect
from paidia.games.vgdl.engine.layout cimport (
    ABSENT, BomberRandomMissile, Chaser, DISABLED, FIXTURE, K_AVATAR,
    K_RESOURCE, LOSChaser, NONE_REF, ORIENTED, PathChaser, Portal, Pulled, Shield,
    SpawnPoint, SpawnPointMultiSprite, Effect, Extra, Rules, Sim, Sprite, Type, addHealthPoints,
    addHealthPointsToMax, addTimer, align, attractGaze, bounceForward, changeResource,
    cloneSprite, collectResource, collectResourceIfHeld, flipDirection, halfSpeed,
    increaseSpeedToAll, killAll, killBoth, killIfAlive, killIfFast, killIfFromAbove, killIfFrontal,
    killIfHasLess, killIfHasMore, killIfNotFrontal, killIfOtherHasMore,
    killSprite, pullWithIt, removeScore, reverseDirection, setSpeedForAll, shieldFrom, spawn, spawnAbove,
    spawnBehind, spawnBelow, spawnIfCounterSubTypes, spawnIfHasLess, spawnIfHasMore, spawnLeft, spawnRight,
    stepBack, subtractHealthPoints, teleportToExit, transformIfCount, transformTo, transformToAll,
    transformToRandomChild, transformToSingleton, turnAround, undoAll, updateSpawnType,
    wallStop, wrapAround, at, extra, fixture_alive, resources, truncated,
    type_of,
)
from paidia.games.vgdl.engine.movement cimport normalised, shift, step_x, step_y
from paidia.games.vgdl.engine.sprites cimport (
    add, count_family, is_killed, kill, living, place, resolve, room, take_slot,
)
from paidia.games.vgdl.engine.transforms cimport random_child, transform, transform_all, transform_to_singleton
from paidia.games.vgdl.engine.walking cimport walk


# -------------------------------------------------------------------- small helpers

cdef inline int held(Sprite* s, int column) noexcept nogil:
    """How much of a resource a sprite holds."""
    if column < 0 or s.flags & FIXTURE or resources(s)[column] == ABSENT:
        return 0
    return resources(s)[column]


cdef inline void hold(Sprite* s, int column, int amount) noexcept nogil:
    if column >= 0 and not s.flags & FIXTURE:
        resources(s)[column] = amount


cdef inline bint left_its_cell(Sim* g, const Sprite* s) noexcept nogil:
    """Whether its rectangle no longer overlaps the one it had when the tick began."""
    return abs(s.x - s.lx) >= type_of(g, s).w or abs(s.y - s.ly) >= type_of(g, s).h


cdef inline void last_direction(const Sprite* s, double* dx, double* dy) noexcept nogil:
    dx[0] = s.x - s.lx
    dy[0] = s.y - s.ly
    normalised(dx, dy)


cdef inline bint second_needed(int code) noexcept nogil:
    return (
        code == killBoth or killIfOtherHasMore <= code <= killIfAlive
        or code == bounceForward or code == pullWithIt
        or code == attractGaze or code == align or code == teleportToExit or spawnBehind <= code <= spawnRight
        or code == collectResource or code == collectResourceIfHeld or wallStop <= code <= killIfFast
    )


cdef inline bint first_needed(int code) noexcept nogil:
    return not (
        code == killAll or code == undoAll or code == transformToAll or spawnBehind <= code <= spawnRight
        or increaseSpeedToAll <= code <= setSpeedForAll or code == updateSpawnType or code == addTimer
    )


# -------------------------------------------------------------------- groups

cdef void kill_all(Sim* g, int type) noexcept nogil:
    cdef const Type* t = &g.rules.types[type]
    cdef int i, slot = g.groups[type].head
    for i in range(t.first_fixture, t.first_fixture + t.n_fixtures):
        if fixture_alive(g, i):
            kill(g, resolve(g, ~i, &g.s.image1), False)
    while slot >= 0:
        kill(g, at(g, slot), False)
        slot = at(g, slot).next


cdef void undo_all(Sim* g, const Effect* e) noexcept nogil:
    cdef const Rules* r = g.rules
    cdef int i, k, slot
    cdef bint spared
    cdef Sprite* s
    for i in range(r.n_order):
        slot = g.groups[r.order[i]].head
        if slot < 0:
            continue
        spared = False
        for k in range(e.n_list):
            spared = spared or e.list[k] == r.order[i]
        while slot >= 0 and not spared:
            s = at(g, slot)
            place(g, s, s.lx, s.ly)
            slot = s.next


cdef void change_speeds(Sim* g, const Effect* e) noexcept nogil:
    cdef const Type* t = &g.rules.types[e.stype]
    cdef int i, slot
    cdef Sprite* s
    for i in range(t.n_family):
        slot = g.groups[t.family[i]].head
        while slot >= 0:
            s = at(g, slot)
            if e.code == setSpeedForAll:
                s.speed = e.real
            elif e.code == increaseSpeedToAll:
                s.speed += e.real
            else:
                s.speed = max(0.0, s.speed - e.real)
            slot = s.next


cdef void update_spawn_type(Sim* g, const Effect* e, Sprite* s2) noexcept nogil:
    cdef const Type* t = &g.rules.types[e.stype2]
    cdef int i, k, slot, cls
    cdef Extra* x
    for i in range(t.n_family):
        cls = g.rules.types[t.family[i]].cls
        if not (SpawnPoint <= cls <= SpawnPointMultiSprite):
            continue
        slot = g.groups[t.family[i]].head
        while slot >= 0:
            x = extra(g, at(g, slot))
            if cls != BomberRandomMissile:
                x.stype = e.stype
            elif s2 != NULL:
                for k in range(x.n_swaps):
                    if x.swap_to[k] == s2.type:
                        x.swap_to[k] = e.stype
                if x.n_swaps < 4:
                    x.swap_from[x.n_swaps] = s2.type
                    x.swap_to[x.n_swaps] = e.stype
                    x.n_swaps += 1
            slot = at(g, slot).next


cdef int first_of_last_group(Sim* g, int type) noexcept nogil:
    """First sprite of the last subtype that has any; such types have no fixtures, since their health changes.
    """
    cdef const Type* t = &g.rules.types[type]
    cdef int i, found = NONE_REF
    for i in range(t.n_family):
        if g.groups[t.family[i]].head >= 0:
            found = g.groups[t.family[i]].head
    return found


# -------------------------------------------------------------------- once per tick

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


cdef void raise_shield(Sim* g, int first, int second, int code) noexcept nogil:
    cdef Shield* grown
    cdef int i, n
    for i in range(g.s.n_shields):
        if g.s.shields[i].first == first and g.s.shields[i].second == second and g.s.shields[i].code == code:
            return
    if g.s.n_shields == g.s.cap_shields:
        n = 2 * g.s.cap_shields + 16
        grown = <Shield*>realloc(g.s.shields, n * sizeof(Shield))
        if grown == NULL:
            return
        g.s.shields = grown
        g.s.cap_shields = n
    g.s.shields[g.s.n_shields].first = first
    g.s.shields[g.s.n_shields].second = second
    g.s.shields[g.s.n_shields].code = code
    g.s.n_shields += 1


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


# -------------------------------------------------------------------- moving

cdef void step_back(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef int dx = s1.x - s1.lx, dy = s1.y - s1.ly
    if e.flag and s2 != NULL and (dx == 0) != (dy == 0):
        if dy > 0:
            place(g, s1, s1.x, s2.y - type_of(g, s1).h)
        elif dx > 0:
            place(g, s1, s2.x - type_of(g, s1).w, s1.y)
        elif dy < 0:
            place(g, s1, s1.x, s2.y + type_of(g, s2).h)
        else:
            place(g, s1, s2.x + type_of(g, s2).w, s1.y)
    else:
        place(g, s1, s1.lx, s1.ly)


cdef void push(Sim* g, Sprite* s1, Sprite* s2) noexcept nogil:
    """bounceForward."""
    cdef double dx = 0, dy = 0
    last_direction(s2, &dx, &dy)
    if dx * s2.ox < 0:
        dx = -dx
    if dy * s2.oy < 0:
        dy = -dy
    walk(g, s1, dx, dy, s2.speed)
    s1.ox = dx
    s1.oy = dy


cdef void turn_around(Sim* g, Sprite* s) noexcept nogil:
    place(g, s, s.lx, s.ly)
    s.lastmove = type_of(g, s).cooldown
    walk(g, s, 0, 1, s.speed)
    s.lastmove = type_of(g, s).cooldown
    walk(g, s, 0, 1, s.speed)
    s.ox = -s.ox
    s.oy = -s.oy


cdef void wrap(Sim* g, const Effect* e, Sprite* s) noexcept nogil:
    cdef const Type* t = type_of(g, s)
    cdef int x = s.x, y = s.y
    if s.ox > 0:
        x = truncated(e.real * t.w)
    elif s.ox < 0:
        x = truncated(g.rules.pixel_width - t.w * (1 + e.real))
    elif s.oy > 0:
        y = truncated(e.real * t.h)
    elif s.oy < 0:
        y = truncated(g.rules.pixel_height - t.h * (1 + e.real))
    s.lastmove = 0
    place(g, s, x, y)


cdef int exit_type(Sim* g, const Sprite* s) noexcept nogil:
    """The type that a sprite's `stype` leads to, -2 if its class has none."""
    cdef const Type* t = type_of(g, s)
    cdef int cls = t.cls
    if (
        cls == Portal or SpawnPoint <= cls <= BomberRandomMissile or Chaser <= cls <= LOSChaser
        or cls == PathChaser
    ):
        return t.stypes[0] if t.n_stypes else -1
    return -2


cdef void teleport(Sim* g, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef int type = exit_type(g, s2)
    cdef const Type* t
    cdef Sprite* target = NULL
    cdef int i, n, slot
    if type == -2:
        return
    n = g.groups[type].records + g.groups[type].fixtures if type >= 0 else 0
    if n == 0:
        kill(g, s1, False)
        return
    n = draw_int(g, n)
    t = &g.rules.types[type]
    for i in range(t.first_fixture, t.first_fixture + t.n_fixtures):
        if fixture_alive(g, i):
            if n == 0:
                target = resolve(g, ~i, &g.s.image2)
            n -= 1
    slot = g.groups[type].head
    while slot >= 0:
        if n == 0:
            target = at(g, slot)
        n -= 1
        slot = at(g, slot).next
    s1.lastmove = 0
    place(g, s1, target.x, target.y)
    if target.flags & ORIENTED:
        s1.ox = target.ox
        s1.oy = target.oy


# -------------------------------------------------------------------- resources and health

cdef int collect(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef const Type* t = type_of(g, s1)
    cdef int have
    cdef uint64_t flag = (<uint64_t>1) << (e.line & 63)
    cdef uint64_t* refused = &g.score_flags[e.line >> 6]
    if not t.flags & K_RESOURCE:
        return NO_SCORE if refused[0] & flag else SCORE
    refused[0] |= flag
    have = held(s2, t.resource)
    if e.code == collectResourceIfHeld:
        if held(s2, e.resource) < e.value:
            return NO_SCORE
        if have + t.value <= t.resource_limit:
            hold(s2, t.resource, have + t.value)
            refused[0] &= ~flag
        if e.kill_resource:
            kill(g, s1, True)
        return NO_SCORE if refused[0] & flag else SCORE
    if have >= t.resource_limit:
        return NO_SCORE
    hold(s2, t.resource, have + min(t.value, t.resource_limit - have))
    refused[0] &= ~flag
    if e.kill_resource:
        kill(g, s1, True)
    return SCORE


cdef int change_resource(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef int have = held(s1, e.resource)
    if have + e.value > e.resource_limit:
        return NO_SCORE
    hold(s1, e.resource, max(0, have + e.value))
    if e.kill_resource and s2 != NULL:
        kill(g, s2, True)
    return SCORE


cdef int hurt(Sim* g, const Effect* e, Sprite* s1) noexcept nogil:
    cdef int ref
    if e.stype >= 0:
        ref = first_of_last_group(g, e.stype)
        if ref == NONE_REF:
            return SCORE
        s1 = at(g, ref)
    s1.health -= e.value
    if s1.health <= e.limit:
        kill(g, s1, False)
        return SCORE_KILLED
    return SCORE


cdef int heal(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef int limit = type_of(g, s1).limit_health
    if e.code == addHealthPoints:
        if s1.health + e.value >= limit:
            return NO_SCORE
        s1.health += e.value
    else:
        s1.health = min(s1.health + e.value, limit)
    s1.max_health = max(s1.max_health, s1.health)
    if e.kill_second and s2 != NULL:
        kill(g, s2, False)
    return SCORE


# -------------------------------------------------------------------- spawning

cdef void spawn_beside(Sim* g, const Effect* e, Sprite* s2) noexcept nogil:
    cdef int x = s2.x, y = s2.y, n = g.rules.block
    if draw_real(g) >= e.prob:
        return
    if e.flag:
        if not left_its_cell(g, s2):
            return
        x, y = s2.lx, s2.ly
    if e.code == spawnAbove:
        y -= n
    elif e.code == spawnBelow:
        y += n
    elif e.code == spawnLeft:
        x -= n
    else:
        x += n
    add(g, e.stype, x, y, False)


cdef void spawn_if_counted(Sim* g, const Effect* e, Sprite* s1) noexcept nogil:
    cdef const Type* t = &g.rules.types[e.stype_count]
    cdef int i, n = 0, kinds = 0, alive
    for i in range(t.n_family):
        alive = living(g, t.family[i])
        n += alive
        if alive > 0:
            kinds += 1
    if n == e.limit and kinds // 2 == e.geq:
        add(g, e.stype, s1.x, s1.y, False)
    elif e.stype2 >= 0:
        add(g, e.stype2, s1.x, s1.y, False)


# -------------------------------------------------------------------- killing under a condition

cdef bint hit_from_above(Sim* g, const Sprite* s1, const Sprite* s2) noexcept nogil:
    return s1.ly > s2.ly + type_of(g, s2).h // 2 and s2.y > s2.ly


cdef bint frontal(const Sprite* s1, const Sprite* s2, bint wanted) noexcept nogil:
    cdef double ax = 0, ay = 0, bx = 0, by = 0
    last_direction(s1, &ax, &ay)
    last_direction(s2, &bx, &by)
    if ax == 0 and ay == 0:
        return True
    return (ax + bx == 0 and ay + by == 0) == wanted


cdef int kill_if(Sim* g, bint condition, Sprite* s) noexcept nogil:
    if condition:
        kill(g, s, False)
        return SCORE
    return NO_SCORE


# -------------------------------------------------------------------- all of them

cdef int apply(Sim* g, const Effect* e, int ref1, int ref2) noexcept nogil:
    """Run an effect; returns which of its score changes counts."""
    cdef Sprite* s1
    cdef Sprite* s2
    cdef int code = e.code, slot, n
    room(g)
    s1 = resolve(g, ref1, &g.s.image1)
    s2 = resolve(g, ref2, &g.s.image2)
    if (s2 == NULL and second_needed(code)) or (
        s1 == NULL and first_needed(code) and not (code == subtractHealthPoints and e.stype >= 0)
    ):
        return SCORE
    if code == killSprite:
        kill(g, s1, False)
    elif code == stepBack:
        step_back(g, e, s1, s2)
    elif code == killBoth:
        kill(g, s1, False)
        kill(g, s2, False)
    elif code == killAll:
        kill_all(g, e.stype)
    elif code == killIfHasLess:
        return kill_if(g, held(s1, e.resource) <= e.limit, s1)
    elif code == killIfHasMore:
        return kill_if(g, held(s1, e.resource) >= e.limit, s1)
    elif code == killIfOtherHasMore:
        n = held(s2, e.resource)
        if n < e.limit:
            return NO_SCORE
        kill(g, s1, False)
        if e.flag:
            hold(s2, e.resource, max(0, n - e.limit))
    elif code == killIfFromAbove:
        return kill_if(g, hit_from_above(g, s1, s2), s1)
    elif code == killIfFrontal:
        return kill_if(g, frontal(s1, s2, True), s1)
    elif code == killIfNotFrontal:
        return kill_if(g, frontal(s1, s2, False), s1)
    elif code == killIfAlive:
        return kill_if(g, not is_killed(g, ref2), s1)
    elif code == undoAll:
        undo_all(g, e)
    elif code == bounceForward:
        push(g, s1, s2)
    elif code == pullWithIt:
        if not already_pulled(g, e.line, s1.id):
            pull(g, e, s1, s2)
    elif code == reverseDirection:
        s1.ox = -s1.ox
        s1.oy = -s1.oy
    elif code == flipDirection:
        n = draw_int(g, 4)
        s1.ox = step_x(n)
        s1.oy = step_y(n)
    elif code == turnAround:
        turn_around(g, s1)
    elif code == attractGaze:
        if s1.flags & ORIENTED and s2.flags & ORIENTED and draw_real(g) < e.prob:
            s1.ox = s2.ox
            s1.oy = s2.oy
            if e.flag:
                if s2.oy == 0 and (s2.ox == 1 or s2.ox == -1):
                    place(g, s1, s1.x, s2.y)
                else:
                    place(g, s1, s2.x, s1.y)
    elif code == align:
        if e.flag:
            s1.ox = s2.ox
            s1.oy = s2.oy
        place(g, s1, s2.x, s2.y)
    elif code == wrapAround:
        wrap(g, e, s1)
    elif code == teleportToExit:
        teleport(g, s1, s2)
    elif code == transformTo:
        if not s1.flags & DISABLED:
            slot = add(g, e.stype, s1.x, s1.y, False)
            if slot >= 0:
                transform(g, e, slot, s1, s2)
    elif code == transformToAll:
        transform_all(g, e, ref2)
    elif code == transformToSingleton:
        transform_to_singleton(g, e, ref1, ref2)
    elif code == transformIfCount:
        n = count_family(g, e.stype_count)
        if e.geq <= n <= e.leq:
            slot = add(g, e.stype, s1.x, s1.y, True)
        else:
            slot = add(g, e.stype2, s1.x, s1.y, True)
        if slot >= 0:
            transform(g, e, slot, s1, s2)
        return SCORE if e.geq <= n <= e.leq else NO_SCORE
    elif code == transformToRandomChild:
        random_child(g, e, s1, s2)
    elif code == spawn:
        if draw_real(g) < e.prob:
            add(g, e.stype, s1.x, s1.y, False)
    elif code == spawnIfHasMore or code == spawnIfHasLess:
        if draw_real(g) >= e.prob:
            return NO_SCORE
        n = held(s1, e.resource)
        if (n < e.limit) if code == spawnIfHasMore else (n > e.limit):
            return NO_SCORE
        add(g, e.stype, s1.x, s1.y, False)
        if code == spawnIfHasMore and e.spend:
            hold(s1, e.resource, max(0, n - e.spend))
    elif code == spawnBehind:
        if draw_real(g) < e.prob and left_its_cell(g, s2):
            add(g, e.stype, s2.lx, s2.ly, False)
    elif spawnAbove <= code <= spawnRight:
        spawn_beside(g, e, s2)
    elif code == spawnIfCounterSubTypes:
        spawn_if_counted(g, e, s1)
    elif code == cloneSprite:
        add(g, s1.type, s1.x, s1.y, False)
    elif code == collectResource or code == collectResourceIfHeld:
        return collect(g, e, s1, s2)
    elif code == changeResource:
        return change_resource(g, e, s1, s2)
    elif code == subtractHealthPoints:
        return hurt(g, e, s1)
    elif code == addHealthPoints or code == addHealthPointsToMax:
        return heal(g, e, s1, s2)
    elif increaseSpeedToAll <= code <= setSpeedForAll:
        change_speeds(g, e)
    elif code == halfSpeed:
        s1.speed *= 0.5
    elif code == shieldFrom:
        raise_shield(g, s1.type, e.stype, e.ftype)
    elif code == updateSpawnType:
        update_spawn_type(g, e, s2)
    elif code == removeScore:
        remove_score(g, e, s1, s2)
    elif code == addTimer:
        insert_timer(g, e.delegate, g.h.tick + e.timer, True)
    else:
        return continuous_effect(g, e, s1, s2)
    return SCORE


cdef void pull(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef double dx = 0, dy = 0
    last_direction(s2, &dx, &dy)
    shift(g, s1, dx, dy, truncated(s2.speed * g.rules.block))
    if e.flag:
        place(g, s1, s2.x, s2.y)


cdef void remove_score(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef bint wanted = type_of(g, s1).flags & K_AVATAR != 0
    if e.stype >= 0 and g.h.avatar >= 0:
        wanted = at(g, g.h.avatar).type == e.stype
    if wanted:
        g.h.score = 0
    if e.kill_second and s2 != NULL:
        kill(g, s2, True)
