# Looking for prey: the nearest sprites of a type, the directions that lead to them, the stored ways between cells.

cdef int random_move(Sim* g, Sprite* s) noexcept nogil:
    """A direction that is kept for `cons` further calls; the first `cons` calls give none."""
    if s.a < type_of(g, s).given.cons:
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
    hunt.fleeing = t.given.fleeing
    hunt.max_distance = t.given.maxDistance
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
