# The game ends by its clock.

cdef bint time_is_up(Sim* g, const End* e) noexcept nogil:
    return g.h.tick >= e.limit


termination(time_is_up, TerminationClass(
    "Timeout", "`limit` ticks have been played", parameters=ENDING, every_tick=True,
))
