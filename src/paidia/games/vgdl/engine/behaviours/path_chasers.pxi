# Chasers that go around obstacles, along the stored ways between cells.

cdef void chase_by_path(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    cdef Hunt hunt
    cdef int32_t x = 0, y = 0
    drift(g, s)
    start_hunt(&hunt, s, t)
    survey_targets(g, &hunt, t.stypes[0] if t.n_stypes else -1, False)
    if hunt.best < 0:
        act(g, s, random_move(g, s))
        return
    target_place(g, hunt.first, &x, &y)
    s.a = t.given.cons
    act(g, s, path_step(g, s.x, s.y, x, y))


sprite_class(chase_by_path, SpriteClass("PathChaser", "a Chaser that finds ways", "Chaser", paths=True))


cdef void find_prey(Sim* g, Sprite* s, const Type* t, Extra* e) noexcept nogil:
    """Choose the target of a PathAltChaser anew: the nearest, or with randomTarget any."""
    cdef Hunt hunt
    cdef const Type* prey
    cdef int i, ref = NONE_REF, total = 0, type = hungry_type(g, t)
    if type < 0:
        return
    if t.given.randomTarget:
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


cdef void refresh_target(Sim* g, Extra* e) noexcept nogil:
    """Where the target is now; one that is gone stays where it was last."""
    if e.target == NONE_REF:
        return
    if e.target < 0:
        target_place(g, e.target, &e.target_x, &e.target_y)
    elif e.target < g.h.used and at(g, e.target).id == e.target_id:
        target_place(g, e.target, &e.target_x, &e.target_y)


cdef void chase_prey(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    """Keep to a target until it is reached."""
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


sprite_class(chase_prey, SpriteClass(
    "PathAltChaser", "goes after one sprite of the types `stype1` until it has reached it: the nearest, with `randomTarget` any",
    "AlternateChaser", paths=True,
))


cdef void chase_prey_or_stray(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    if not strays(g, s, t):
        chase_prey(g, s, t)


sprite_class(chase_prey_or_stray, SpriteClass(
    "RandomPathAltChaser", "a PathAltChaser that takes a random step with probability `epsilon`", "AlternateChaser", paths=True,
))
