# Score and time.

cdef int remove_score(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    cdef bint wanted
    cdef int player
    for player in range(g.rules.n_players):
        wanted = type_of(g, s1).flags & K_AVATAR != 0 if g.rules.n_players == 1 else player_of(g, s1) == player
        if e.stype >= 0 and g.h.avatar[player] >= 0:
            wanted = at(g, g.h.avatar[player]).type == e.stype
        if wanted:
            g.h.score[player] = 0
    if e.killSecond and s2 != NULL:
        kill(g, s2, True)
    return SCORE


effect(remove_score, EffectClass(
    "removeScore",
    "the score of a player becomes 0 if the first sprite is the avatar, or with `stype` if the avatar is of that type",
    parameters={"stype": ("type", ""), "killSecond": ("bool", False)},
))


cdef int add_timer(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil:
    insert_timer(g, e.delegate, g.h.tick + e.timer, True)
    return SCORE


effect(add_timer, EffectClass(
    "addTimer", "the effect `ftype`, whose parameters stand on the same line, happens `timer` ticks later",
    parameters={"ftype": ("effect", "")}, sprites="", delays=True,
))
