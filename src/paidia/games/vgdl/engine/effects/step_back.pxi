# Back to where a sprite was before its update.

cdef int step_back(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef int dx = s1.x - s1.lx, dy = s1.y - s1.ly
    if e.pixelPerfect and s2 != NULL and (dx == 0) != (dy == 0):
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
    return SCORE


effect(step_back, EffectClass(
    "stepBack", "the first sprite goes back, or with `pixelPerfect` as far as it touches the second",
    parameters={"pixelPerfect": ("bool", False)},
))


cdef int undo_all(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef const Rules* r = g.rules
    cdef const int16_t* spared = r.lists + e.notStype
    cdef int i, k, slot
    cdef bint stays
    cdef Sprite* s
    for i in range(r.n_order):
        slot = g.groups[r.order[i]].head
        if slot < 0:
            continue
        stays = False
        for k in range(spared[0]):
            stays = stays or spared[1 + k] == r.order[i]
        while slot >= 0 and not stays:
            s = at(g, slot)
            place(g, s, s.lx, s.ly)
            slot = s.next
    return SCORE


effect(undo_all, EffectClass(
    "undoAll", "every sprite goes back, but those of the types `notStype`",
    parameters={"notStype": ("types", "")}, sprites="", moves_all=True,
))
