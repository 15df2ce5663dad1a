# The game ends by how many sprites there are. A StopCounter can hold all of these back.

cdef int counted(Sim* g, const End* e) noexcept nogil:
    """Living sprites of the types that it counts."""
    cdef const int16_t* types = g.rules.lists + e.counted
    cdef int i, n = 0
    for i in range(types[0]):
        n += living(g, types[1 + i])
    return n


cdef bint few_left(Sim* g, const End* e) noexcept nogil:
    return g.h.may_end and counted(g, e) <= e.limit


termination(few_left, TerminationClass(
    "SpriteCounter", "at most `limit` sprites of `stype` are left",
    parameters={**ENDING, "stype": ("type", "")}, needs=("stype",),
))


cdef bint many_there(Sim* g, const End* e) noexcept nogil:
    return g.h.may_end and counted(g, e) >= e.limit


termination(many_there, TerminationClass(
    "SpriteCounterMore", "there are at least `limit` sprites of `stype`",
    parameters={**ENDING, "stype": ("type", "")}, needs=("stype",),
))


cdef bint as_many(Sim* g, const End* e) noexcept nogil:
    cdef int n
    if not g.h.may_end:
        return False
    n = counted(g, e)
    return n == e.limit or (e.min and n > e.limit)


termination(as_many, TerminationClass(
    "MultiSpriteCounter", "there are `limit` sprites of `stype1`, `stype2` and `stype3` together, with `min` or more",
    parameters={
        **ENDING, "stype1": ("type", ""), "stype2": ("type", ""), "stype3": ("type", ""), "min": ("bool", False),
    },
    needs=("stype1",),
))


cdef int kinds_alive(Sim* g, const End* e) noexcept nogil:
    cdef const int16_t* types = g.rules.lists + e.counted
    cdef int i, n = 0
    for i in range(types[0]):
        if living(g, types[1 + i]) > 0:
            n += 1
    return n


cdef bint as_many_kinds(Sim* g, const End* e) noexcept nogil:
    return g.h.may_end and counted(g, e) == e.limit and kinds_alive(g, e) == e.subTypesNum


termination(as_many_kinds, TerminationClass(
    "MultiSpriteCounterSubTypes", "there are `limit` sprites of `stype1`, of `subTypesNum` different types",
    parameters={**ENDING, "stype1": ("type", ""), "subTypesNum": ("int", -1)}, needs=("stype1",),
))


cdef bint hold_back(Sim* g, const End* e) noexcept nogil:
    cdef int n = counted(g, e)
    g.h.may_end = <int8_t>((n <= e.limit) if e.min else (n != e.limit))
    return False


termination(hold_back, TerminationClass(
    "StopCounter",
    "never ends the game: while there are `limit` sprites of `stype1`, `stype2` and `stype3` together (with `min`: more), no"
    " counter does",
    parameters={
        **ENDING, "stype1": ("type", ""), "stype2": ("type", ""), "stype3": ("type", ""), "min": ("bool", False),
    },
    needs=("stype1",), asked_again=True,
))
