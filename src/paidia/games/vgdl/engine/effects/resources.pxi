# What sprites hold. A resource that is full refuses more, and the line that would have given it scores nothing until it does
# again: the score flag of the line.

cdef int collect_resource(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef const Type* t = type_of(g, s1)
    cdef uint64_t flag = (<uint64_t>1) << (e.line & 63)
    cdef uint64_t* refused = &g.score_flags[e.line >> 6]
    cdef int have
    if not t.flags & K_RESOURCE:
        return NO_SCORE if refused[0] & flag else SCORE
    refused[0] |= flag
    have = held(s2, t.resource)
    if have >= t.resource_limit:
        return NO_SCORE
    hold(s2, t.resource, have + min(t.given.value, t.resource_limit - have))
    refused[0] &= ~flag
    if e.killResource:
        kill(g, s1, True)
    return SCORE


effect(collect_resource, EffectClass(
    "collectResource", "the second sprite takes the first, a resource, as far as it can hold more",
    parameters={"killResource": ("bool", True)}, sprites="12", writes="2",
))


cdef int collect_resource_if_held(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef const Type* t = type_of(g, s1)
    cdef uint64_t flag = (<uint64_t>1) << (e.line & 63)
    cdef uint64_t* refused = &g.score_flags[e.line >> 6]
    cdef int have
    if not t.flags & K_RESOURCE:
        return NO_SCORE if refused[0] & flag else SCORE
    refused[0] |= flag
    have = held(s2, t.resource)
    if held(s2, e.heldResource) < e.value:
        return NO_SCORE
    if have + t.given.value <= t.resource_limit:
        hold(s2, t.resource, have + t.given.value)
        refused[0] &= ~flag
    if e.killResource:
        kill(g, s1, True)
    return NO_SCORE if refused[0] & flag else SCORE


effect(collect_resource_if_held, EffectClass(
    "collectResourceIfHeld", "the same if the second sprite holds at least `value` of `heldResource`",
    parameters={"heldResource": ("resource", ""), "value": ("int", 1), "killResource": ("bool", True)},
    needs=("heldResource",), sprites="12", writes="2",
))


cdef int change_resource(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef int have = held(s1, e.resource), change = <int>e.value
    if have + change > e.resource_limit:
        return NO_SCORE
    hold(s1, e.resource, max(0, have + change))
    if e.killResource and s2 != NULL:
        kill(g, s2, True)
    return SCORE


effect(change_resource, EffectClass(
    "changeResource", "the first sprite gets `value` of a resource (less than 0: loses) if it can hold it",
    parameters={"resource": ("resource", ""), "value": ("int", 1), "killResource": ("bool", False)},
    needs=("resource",), writes="1",
))
