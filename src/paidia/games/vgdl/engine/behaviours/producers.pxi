# Sprites that make other sprites.

cdef void breed(Sim* g, Sprite* s, const Type* t, int type) noexcept nogil:
    """A producer makes one sprite."""
    cdef int slot = add(g, type, s.x, s.y, False)
    cdef Sprite* child
    if slot < 0:
        return
    child = at(g, slot)
    s.a += 1
    if t.given.spawnorientation.x != 0 or t.given.spawnorientation.y != 0:
        child.ox = t.given.spawnorientation.x
        child.oy = t.given.spawnorientation.y
    elif child.ox == 0 and child.oy == 0:
        child.ox = s.ox
        child.oy = s.oy


cdef inline bint is_due(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    """Whether it makes one in this tick; a draw in every tick, whatever comes of it."""
    if s.b == 0:
        s.b = g.h.tick + 1
    return draw_float(g) < t.given.prob and (s.b - 1 + g.h.tick) % t.cooldown == 0


cdef inline void go_on(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    """The rest of its turn: it moves and ages, and dies once it has made all it may."""
    drift(g, s)
    age(g, s)
    if t.given.total > 0 and s.a >= t.given.total:
        kill(g, s, False)


cdef void make_one(Sim* g, Sprite* s, const Type* t, int type) noexcept nogil:
    """A turn in which it may make one of a type, or of what updateSpawnType said."""
    if g.rules.has_extra and extra(g, s).stype >= 0:
        type = extra(g, s).stype
    if is_due(g, s, t):
        breed(g, s, t, type)
    go_on(g, s, t)


cdef void produce(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    make_one(g, s, t, t.stypes[0] if t.n_stypes else -1)


sprite_class(produce, SpriteClass(
    "SpawnPoint",
    "makes a `stype` every `cooldown` ticks with probability `prob`, `total` in all (0: no end), facing `spawnorientation`",
    defaults={"is_static": True, "cooldown": 1},
    parameters={
        "stype": ("type", ""), "prob": ("chance", 1.0), "total": ("int", 0), "spawnorientation": ("dir", Dir(0, 0)),
    },
    leads=True, spawns=True,
))
sprite_class(NULL, SpriteClass(
    "Bomber", "a SpawnPoint that moves", "SpawnPoint",
    defaults={"is_static": False, "orientation": Dir(1, 0)}, oriented=True, npc=True,
))


cdef void wander_and_produce(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    act(g, s, draw_int(g, 4))
    make_one(g, s, t, t.stypes[0] if t.n_stypes else -1)


sprite_class(wander_and_produce, SpriteClass(
    "RandomBomber", "a SpawnPoint that takes random steps", "SpawnPoint",
    defaults={"is_static": False, "orientation": Dir(1, 0), "speed": 1.0}, oriented=True, npc=True, chance=True,
))


cdef int swapped(Sim* g, Sprite* s, int type) noexcept nogil:
    """What stands now in the place of a type in the sprite's own list (see updateSpawnType)."""
    cdef int i
    if g.rules.has_extra:
        for i in range(extra(g, s).n_swaps):
            if extra(g, s).swap_from[i] == type:
                return extra(g, s).swap_to[i]
    return type


cdef void drop_random_missiles(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    cdef int type = -1
    if t.n_stypes:
        type = swapped(g, s, t.stypes[draw_int(g, t.n_stypes)])
    make_one(g, s, t, type)


sprite_class(drop_random_missiles, SpriteClass(
    "BomberRandomMissile", "a Bomber that makes any of `stypeMissile`, drawn at random", "SpawnPoint",
    defaults={"is_static": False, "orientation": Dir(1, 0)}, parameters={"stypeMissile": ("types", "")},
    oriented=True, npc=True, chance=True,
))


cdef void produce_all(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    cdef int i
    if is_due(g, s, t):
        for i in range(t.n_stypes):
            breed(g, s, t, t.stypes[i])
    go_on(g, s, t)


sprite_class(produce_all, SpriteClass(
    "SpawnPointMultiSprite", "a SpawnPoint that makes one of each of `stypes`", "SpawnPoint",
    defaults={"orientation": Dir(1, 0)}, parameters={"stypes": ("types", "")}, oriented=True, npc=True, leads=False,
))
