# Effects that ward off others for the rest of a tick.

cdef int shield_from(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef Shield* grown
    cdef Shield* one
    cdef int i, n
    for i in range(g.s.n_shields):
        one = &g.s.shields[i]
        if one.first == s1.type and one.second == e.stype and one.code == e.ftype:
            return SCORE
    if g.s.n_shields == g.s.cap_shields:
        n = 2 * g.s.cap_shields + 16
        grown = <Shield*>realloc(g.s.shields, n * sizeof(Shield))
        if grown == NULL:
            return SCORE
        g.s.shields = grown
        g.s.cap_shields = n
    one = &g.s.shields[g.s.n_shields]
    one.first, one.second, one.code = s1.type, e.stype, e.ftype
    g.s.n_shields += 1
    return SCORE


effect(shield_from, EffectClass(
    "shieldFrom", "the effect `ftype` between the first sprite's type and `stype` does not happen in the rest of the tick",
    parameters={"stype": ("type", ""), "ftype": ("effect", "")}, needs=("stype",),
))
