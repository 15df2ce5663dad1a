# New sprites beside the second one.

cdef int spawn_behind(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    if draw_real(g) < e.prob and left_its_cell(g, s2):
        add(g, e.stype, s2.lx, s2.ly, False)
    return SCORE


effect(spawn_behind, EffectClass(
    "spawnBehind", "a `stype` appears where the second sprite was before its step",
    parameters={"stype": ("type", ""), "prob": ("chance", 1.0)}, needs=("stype",), sprites="2",
))


cdef int spawn_beside(Sim* g, const Effect* e, Sprite* s2, int dx, int dy) noexcept nogil:
    cdef int x = s2.x, y = s2.y
    if draw_real(g) >= e.prob:
        return SCORE
    if e.stepBack:
        if not left_its_cell(g, s2):
            return SCORE
        x, y = s2.lx, s2.ly
    add(g, e.stype, x + dx * g.rules.block, y + dy * g.rules.block, False)
    return SCORE


cdef int spawn_above(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    return spawn_beside(g, e, s2, 0, -1)


cdef int spawn_below(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    return spawn_beside(g, e, s2, 0, 1)


cdef int spawn_left(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    return spawn_beside(g, e, s2, -1, 0)


cdef int spawn_right(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    return spawn_beside(g, e, s2, 1, 0)


BESIDE = {"stype": ("type", ""), "prob": ("chance", 1.0), "stepBack": ("bool", False)}

effect(spawn_above, EffectClass(
    "spawnAbove", "a `stype` appears a cell above the second sprite, with `stepBack` above where it was before its step",
    parameters=BESIDE, needs=("stype",), sprites="2",
))
effect(spawn_below, EffectClass(
    "spawnBelow", "the same a cell below", parameters=BESIDE, needs=("stype",), sprites="2",
))
effect(spawn_left, EffectClass(
    "spawnLeft", "the same a cell to the left", parameters=BESIDE, needs=("stype",), sprites="2",
))
effect(spawn_right, EffectClass(
    "spawnRight", "the same a cell to the right", parameters=BESIDE, needs=("stype",), sprites="2",
))
