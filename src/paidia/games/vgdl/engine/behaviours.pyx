"""What sprites other than the avatar do in a tick: one function per family of classes."""

from libc.stdint cimport int32_t
from libc.stdlib cimport abs

from paidia.games.vgdl.engine.chance cimport draw_aside, draw_float, draw_int, draw_real
from paidia.games.vgdl.engine.continuous cimport update_inertial, update_walker
from paidia.games.vgdl.engine.layout cimport (
    AlternateChaser, BomberRandomMissile, Chaser, Fleeing, Flicker,
    K_FLEEING, K_INERT, K_RANDOM_TARGET, LOSChaser, Missile, NONE_REF, OrientedFlicker,
    PathChaser, RandomAltChaser, RandomBomber, RandomInertial, RandomMissile, RandomNPC,
    RandomPathAltChaser, SpawnPoint, SpawnPointMultiSprite, Spreader, Walker, WalkerJumper, Extra,
    Rules, Sim, Sprite, Type, at, extra, fixture_alive, type_of,
)
from paidia.games.vgdl.engine.movement cimport before_update, step_x, step_y
from paidia.games.vgdl.engine.sprites cimport add, kill, room
from paidia.games.vgdl.engine.walking cimport age, drift, walk


cdef void act(Sim* g, Sprite* s, int direction) noexcept nogil:
    """Active move in one of the four directions (0 .. 3), or none (-1)."""
    if direction >= 0:
        walk(g, s, step_x(direction), step_y(direction), s.speed)
    else:
        walk(g, s, 0, 0, s.speed)


# -------------------------------------------------------------------- wanderers and chasers

cdef int random_move(Sim* g, Sprite* s) noexcept nogil:
    """A direction that is kept for `cons` further calls; the first `cons` calls give none."""
    if s.a < type_of(g, s).cons:
        s.a += 1
        return s.b - 1
    s.b = draw_int(g, 4) + 1
    s.a = 0
    return s.b - 1


ctypedef struct Hunt:
    # One search for the nearest sprites: what is looked for and what was found.
    int x
    int y
    int sight               # LOSChaser: direction it looks in, -1 blind, 4 sees everywhere
    bint fleeing
    int max_distance
    int best                # distance of the nearest
    int n                   # directions that lead nearer (or away), counted over all nearest targets
    int pick                # which of them is wanted; -1 only counts
    int direction
    int first               # reference of the first nearest
    int n_first             # and of how many
    bint collect


cdef inline bint visible(const Hunt* hunt, int x, int y) noexcept nogil:
    if hunt.sight == 4:
        return True
    if hunt.sight == 2:
        return x == hunt.x and y >= hunt.y
    if hunt.sight == 0:
        return x == hunt.x and y <= hunt.y
    if hunt.sight == 1:
        return y == hunt.y and x <= hunt.x
    if hunt.sight == 3:
        return y == hunt.y and x >= hunt.x
    return False


cdef inline void meet(Hunt* hunt, int ref, int x, int y) noexcept nogil:
    """Look at one possible target: first pass finds the smallest distance, second the directions."""
    cdef int d = abs(x - hunt.x) + abs(y - hunt.y)
    cdef int direction, nd
    if not visible(hunt, x, y):
        return
    if not hunt.collect:
        if hunt.best < 0 or d < hunt.best:
            hunt.best = d
            hunt.first = ref
        return
    if d != hunt.best or (hunt.max_distance != -1 and d > hunt.max_distance):
        return
    for direction in range(4):
        nd = abs(x - hunt.x - step_x(direction)) + abs(y - hunt.y - step_y(direction))
        if (nd > d) if hunt.fleeing else (nd < d):
            if hunt.n == hunt.pick:
                hunt.direction = direction
            hunt.n += 1


cdef void survey(Sim* g, Hunt* hunt, int type) noexcept nogil:
    """Look at every sprite of exactly one type."""
    cdef const Rules* r = g.rules
    cdef const Type* t = &r.types[type]
    cdef int slot, i
    if g.groups[type].fixtures:
        for i in range(t.first_fixture, t.first_fixture + t.n_fixtures):
            if fixture_alive(g, i):
                meet(hunt, ~i, r.fixture_x[i], r.fixture_y[i])
    slot = g.groups[type].head
    while slot >= 0:
        meet(hunt, slot, at(g, slot).x, at(g, slot).y)
        slot = at(g, slot).next


cdef void survey_targets(Sim* g, Hunt* hunt, int type, bint family) noexcept nogil:
    cdef const Type* t
    cdef int i
    if type < 0:
        return
    t = &g.rules.types[type]
    if not family and g.groups[type].records + g.groups[type].fixtures > 0:
        survey(g, hunt, type)
        return
    if family:      # then the type's own sprites are met twice and weigh twice in the draw
        survey(g, hunt, type)
    for i in range(t.n_family):
        survey(g, hunt, t.family[i])


cdef void start_hunt(Hunt* hunt, Sprite* s, const Type* t) noexcept nogil:
    hunt.x = s.x
    hunt.y = s.y
    hunt.sight = 4
    hunt.fleeing = t.flags & K_FLEEING != 0
    hunt.max_distance = t.max_distance
    hunt.best = -1
    hunt.n = 0
    hunt.pick = -1
    hunt.direction = -1
    hunt.first = NONE_REF
    hunt.collect = False


cdef int hunt_direction(Sim* g, Hunt* hunt, int type, bint family) noexcept nogil:
    """A direction drawn among all that lead nearer to (away from) a nearest target; -2 if there is none."""
    survey_targets(g, hunt, type, family)
    if hunt.best < 0:
        return -2
    hunt.collect = True
    survey_targets(g, hunt, type, family)
    if hunt.n == 0:
        return -2
    hunt.pick = draw_int(g, hunt.n)
    hunt.n = 0
    survey_targets(g, hunt, type, family)
    return hunt.direction


cdef void chase(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    cdef Hunt hunt
    cdef int direction
    drift(g, s)
    start_hunt(&hunt, s, t)
    if t.cls == LOSChaser:
        hunt.sight = s.b - 1
    direction = hunt_direction(g, &hunt, t.stypes[0] if t.n_stypes else -1, False)
    act(g, s, random_move(g, s) if direction == -2 else direction)


cdef int path_step(Sim* g, int x, int y, int to_x, int to_y) noexcept nogil:
    """First step of the stored way between two pixels: a direction, or -1 where the table has none."""
    cdef const Rules* r = g.rules
    cdef double cell = 1.0 / r.block        # multiplied, not divided: the rounding is part of the rules
    cdef int ax = <int>(x * cell), ay = <int>(y * cell), bx = <int>(to_x * cell), by = <int>(to_y * cell)
    if r.paths == NULL or x <= -r.block or y <= -r.block or to_x <= -r.block or to_y <= -r.block:
        return -1
    if ax >= r.width or bx >= r.width or ay >= r.height or by >= r.height:
        return -1
    return r.paths[(<size_t>(ay * r.width + ax)) * r.width * r.height + by * r.width + bx] - 1


cdef void chase_by_path(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    cdef Hunt hunt
    cdef int32_t x = 0, y = 0
    cdef int direction
    drift(g, s)
    start_hunt(&hunt, s, t)
    survey_targets(g, &hunt, t.stypes[0] if t.n_stypes else -1, False)
    if hunt.best < 0:
        act(g, s, random_move(g, s))
        return
    target_place(g, hunt.first, &x, &y)
    s.a = t.cons
    direction = path_step(g, s.x, s.y, x, y)
    act(g, s, direction)


cdef void target_place(Sim* g, int ref, int32_t* x, int32_t* y) noexcept nogil:
    if ref >= 0:
        x[0] = at(g, ref).x
        y[0] = at(g, ref).y
    else:
        x[0] = g.rules.fixture_x[~ref]
        y[0] = g.rules.fixture_y[~ref]


cdef int hungry_type(Sim* g, const Type* t) noexcept nogil:
    """The type that a chaser with a list of prey turns to, or -1 if none of the list exists."""
    cdef int i, k, total = 0
    cdef const Type* prey
    for i in range(t.n_stypes):
        if t.stypes[i] < 0:
            continue
        prey = &g.rules.types[t.stypes[i]]
        for k in range(prey.n_family):
            total += g.groups[prey.family[k]].records + g.groups[prey.family[k]].fixtures
    if total == 0:
        return -1
    return t.stypes[draw_aside(g, t.n_stypes) if t.n_stypes > 1 else 0]


cdef void chase_alternately(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    cdef Hunt hunt
    cdef int direction, type = hungry_type(g, t)
    drift(g, s)
    start_hunt(&hunt, s, t)
    hunt.fleeing = False
    hunt.max_distance = -1
    direction = hunt_direction(g, &hunt, type, True)
    act(g, s, draw_int(g, 4) if direction == -2 else direction)


cdef int nth_of_family(Sim* g, int type, int n) noexcept nogil:
    """Reference of the n-th sprite of a type with subtypes."""
    cdef const Rules* r = g.rules
    cdef const Type* t = &r.types[type]
    cdef const Type* k
    cdef int i, index, slot
    for i in range(t.n_family):
        k = &r.types[t.family[i]]
        for index in range(k.first_fixture, k.first_fixture + k.n_fixtures):
            if fixture_alive(g, index):
                if n == 0:
                    return ~index
                n -= 1
        slot = g.groups[t.family[i]].head
        while slot >= 0:
            if n == 0:
                return slot
            n -= 1
            slot = at(g, slot).next
    return NONE_REF


cdef void find_prey(Sim* g, Sprite* s, const Type* t, Extra* e) noexcept nogil:
    """Choose the target of a PathAltChaser anew: the nearest, or with randomTarget any."""
    cdef Hunt hunt
    cdef const Type* prey
    cdef int i, ref = NONE_REF, total = 0, type = hungry_type(g, t)
    if type < 0:
        return
    if t.flags & K_RANDOM_TARGET:
        prey = &g.rules.types[type]
        for i in range(prey.n_family):
            total += g.groups[prey.family[i]].records + g.groups[prey.family[i]].fixtures
        if total:
            ref = nth_of_family(g, type, draw_int(g, total))
    else:
        start_hunt(&hunt, s, t)
        survey_targets(g, &hunt, type, True)
        ref = hunt.first
    if ref == NONE_REF:
        return
    e.target = ref
    e.target_id = at(g, ref).id if ref >= 0 else g.rules.fixture_id[~ref]


cdef void chase_prey(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    """PathAltChaser: keep to a target until it is reached, along the stored ways."""
    cdef Extra* e = extra(g, s)
    cdef int direction
    cdef bint found = True
    drift(g, s)
    refresh_target(g, e)
    if e.target == NONE_REF or (e.target_x == s.x and e.target_y == s.y):
        found = hungry_type_exists(g, t)
        if found:
            find_prey(g, s, t, e)
            refresh_target(g, e)
    if not found:
        act(g, s, draw_int(g, 4))
        return
    direction = path_step(g, s.x, s.y, e.target_x, e.target_y)
    if direction < 0 and e.known:
        direction = path_step(g, s.x, s.y, e.known_x, e.known_y)
    else:
        e.known = 1
        e.known_x = e.target_x
        e.known_y = e.target_y
    act(g, s, direction)


cdef void refresh_target(Sim* g, Extra* e) noexcept nogil:
    """Where the target is now; one that is gone stays where it was last."""
    if e.target == NONE_REF:
        return
    if e.target < 0:
        target_place(g, e.target, &e.target_x, &e.target_y)
    elif e.target < g.h.used and at(g, e.target).id == e.target_id:
        target_place(g, e.target, &e.target_x, &e.target_y)


cdef bint hungry_type_exists(Sim* g, const Type* t) noexcept nogil:
    cdef int i, k
    cdef const Type* prey
    for i in range(t.n_stypes):
        if t.stypes[i] >= 0:
            prey = &g.rules.types[t.stypes[i]]
            for k in range(prey.n_family):
                if g.groups[prey.family[k]].records + g.groups[prey.family[k]].fixtures:
                    return True
    return False


# -------------------------------------------------------------------- producers

cdef void breed(Sim* g, Sprite* s, const Type* t, int type) noexcept nogil:
    """A producer makes one sprite."""
    cdef int slot = add(g, type, s.x, s.y, False)
    cdef Sprite* child
    if slot < 0:
        return
    child = at(g, slot)
    s.a += 1
    if t.spawn_x != 0 or t.spawn_y != 0:
        child.ox = t.spawn_x
        child.oy = t.spawn_y
    elif child.ox == 0 and child.oy == 0:
        child.ox = s.ox
        child.oy = s.oy


cdef int swapped(Sim* g, Sprite* s, int type) noexcept nogil:
    """What stands now in the place of a type in the sprite's own list (see updateSpawnType)."""
    cdef int i
    if g.rules.has_extra:
        for i in range(extra(g, s).n_swaps):
            if extra(g, s).swap_from[i] == type:
                return extra(g, s).swap_to[i]
    return type


cdef void produce(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    """SpawnPoint and its kin; a draw in every tick, whatever comes of it."""
    cdef int i, type = t.stypes[0] if t.n_stypes else -1
    if t.cls == RandomBomber:
        act(g, s, draw_int(g, 4))
    elif t.cls == BomberRandomMissile and t.n_stypes:
        type = swapped(g, s, t.stypes[draw_int(g, t.n_stypes)])
    if g.rules.has_extra and extra(g, s).stype >= 0:
        type = extra(g, s).stype
    if s.b == 0:
        s.b = g.h.tick + 1
    if draw_float(g) < t.prob and (s.b - 1 + g.h.tick) % t.cooldown == 0:
        if t.cls == SpawnPointMultiSprite:
            for i in range(t.n_stypes):
                breed(g, s, t, t.stypes[i])
        else:
            breed(g, s, t, type)
    drift(g, s)
    age(g, s)
    if t.total > 0 and s.a >= t.total:
        kill(g, s, False)


# -------------------------------------------------------------------- short-lived sprites

cdef void flicker(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    cdef int direction
    drift(g, s)
    age(g, s)
    if s.a > t.limit:
        kill(g, s, False)
    s.a += 1
    if t.cls == Spreader and s.a == 2:
        for direction in range(4):
            if draw_real(g) < t.prob:
                add(
                    g, t.stypes[0] if t.n_stypes else s.type,
                    s.lx + step_x(direction) * t.w, s.ly + step_y(direction) * t.h, False,
                )


cdef void update(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    cdef int cls = t.cls
    if SpawnPoint <= cls <= SpawnPointMultiSprite:
        produce(g, s, t)
    elif cls == RandomNPC:
        drift(g, s)
        act(g, s, random_move(g, s))
    elif cls == Chaser or cls == Fleeing or cls == LOSChaser:
        chase(g, s, t)
    elif cls == Flicker or cls == OrientedFlicker or cls == Spreader:
        flicker(g, s, t)
    elif cls == RandomMissile:
        if s.ox == -1 and s.oy == -1:
            cls = draw_int(g, 4)
            s.ox = step_x(cls)
            s.oy = step_y(cls)
        drift(g, s)
    elif cls == PathChaser:
        chase_by_path(g, s, t)
    elif AlternateChaser <= cls <= RandomPathAltChaser:
        if (cls == RandomAltChaser or cls == RandomPathAltChaser) and draw_real(g) < t.epsilon:
            drift(g, s)
            act(g, s, draw_int(g, 4))
        elif cls == AlternateChaser or cls == RandomAltChaser:
            chase_alternately(g, s, t)
        else:
            chase_prey(g, s, t)
    elif cls == Walker or cls == WalkerJumper:
        update_walker(g, s)
    elif cls == RandomInertial:
        update_inertial(g, s)
    else:
        drift(g, s)
        age(g, s)


cdef void update_sprites(Sim* g) noexcept nogil:
    """Phase B of a tick. The lists are live: a sprite made for a type still to come is updated in the same
    tick.
    """
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
        if t.cls == Missile:        # by far the most common mover makes nothing, so nothing can move under it
            while slot >= 0:
                s = at(g, slot)
                before_update(s)
                drift(g, s)
                age(g, s)
                slot = s.next
            continue
        # those that the type makes of its own kind wait for the next tick
        last = g.groups[r.updates[i]].tail
        while slot >= 0:
            room(g)
            s = at(g, slot)
            before_update(s)
            update(g, s, t)
            if slot == last:
                break
            slot = at(g, slot).next
