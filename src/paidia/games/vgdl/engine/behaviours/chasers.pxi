# Sprites that go towards the nearest prey, or away from it.

cdef void hunt_or_wander(Sim* g, Sprite* s, const Type* t, int sight) noexcept nogil:
    cdef Hunt hunt
    cdef int direction
    drift(g, s)
    start_hunt(&hunt, s, t)
    hunt.sight = sight
    direction = hunt_direction(g, &hunt, t.stypes[0] if t.n_stypes else -1, False)
    act(g, s, random_move(g, s) if direction == -2 else direction)


cdef void chase(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    hunt_or_wander(g, s, t, 4)


sprite_class(chase, SpriteClass(
    "Chaser", "goes towards the nearest `stype` that is no farther than `maxDistance`, with `fleeing` away from it", "RandomNPC",
    parameters={"stype": ("type", ""), "fleeing": ("bool", False), "maxDistance": ("float", -1)}, leads=True,
))
sprite_class(NULL, SpriteClass("Fleeing", "a Chaser that runs away", "Chaser", defaults={"fleeing": True}))


cdef void chase_in_sight(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    hunt_or_wander(g, s, t, s.b - 1)


sprite_class(chase_in_sight, SpriteClass("LOSChaser", "a Chaser that sees only straight ahead", "Chaser"))


cdef void chase_alternately(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    cdef Hunt hunt
    cdef int direction, type = hungry_type(g, t)
    drift(g, s)
    start_hunt(&hunt, s, t)
    hunt.fleeing = False
    hunt.max_distance = -1
    direction = hunt_direction(g, &hunt, type, True)
    act(g, s, draw_int(g, 4) if direction == -2 else direction)


sprite_class(chase_alternately, SpriteClass(
    "AlternateChaser", "goes towards the nearest sprite of one of the types `stype1`, chosen anew in every tick", "RandomNPC",
    parameters={
        "cons": ("int", 0), "stype1": ("types", ""), "stype2": ("types", ""), "epsilon": ("real", 0.0),
        "randomTarget": ("bool", False),
    },
))


cdef inline bint strays(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    """Whether it takes a random step instead of one after its prey."""
    if draw_real(g) >= t.given.epsilon:
        return False
    drift(g, s)
    act(g, s, draw_int(g, 4))
    return True


cdef void chase_or_stray(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    if not strays(g, s, t):
        chase_alternately(g, s, t)


sprite_class(chase_or_stray, SpriteClass(
    "RandomAltChaser", "an AlternateChaser that takes a random step with probability `epsilon`", "AlternateChaser",
))
