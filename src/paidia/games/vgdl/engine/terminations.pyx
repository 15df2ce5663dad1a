"""Phases E and F of a tick: is the game over, and who won."""

from libc.stdint cimport int8_t

from paidia.games.vgdl.engine.layout cimport (
    MAX_TICKS, MultiSpriteCounter, SpriteCounter, SpriteCounterMore,
    StopCounter, Timeout, End, Sim,
)
from paidia.games.vgdl.engine.sprites cimport living


cdef int count(Sim* g, const End* e) noexcept nogil:
    cdef int i, n = 0
    for i in range(e.n):
        n += living(g, e.types[i])
    return n


cdef int kinds_alive(Sim* g, const End* e) noexcept nogil:
    cdef int i, n = 0
    for i in range(e.n):
        if living(g, e.types[i]) > 0:
            n += 1
    return n


cdef bint satisfied(Sim* g, const End* e) noexcept nogil:
    cdef int n
    if e.code == Timeout:
        return g.h.tick >= e.limit
    n = count(g, e)
    if e.code == StopCounter:
        g.h.may_end = <int8_t>((n <= e.limit) if e.min else (n != e.limit))
        return False
    if not g.h.may_end:
        return False
    if e.code == SpriteCounter:
        return n <= e.limit
    if e.code == SpriteCounterMore:
        return n >= e.limit
    if e.code == MultiSpriteCounter:
        return n == e.limit or (e.min and n > e.limit)
    return n == e.limit and kinds_alive(g, e) == e.subtypes


cdef void check_ends(Sim* g) noexcept nogil:
    """The first termination that holds decides; without one the game is lost when its time is up."""
    cdef const End* e
    cdef int i
    cdef int8_t again = 0
    for i in range(g.rules.n_ends):
        e = &g.rules.ends[i]
        if e.code == StopCounter:
            again = 1       # it may release others that come before it
        if (g.h.counts_changed or e.code == Timeout) and satisfied(g, e):
            g.h.ended = 1
            g.h.winner = <int8_t>((g.h.score != 0) if e.count_score else e.win)
            break
    g.h.counts_changed = again
    if g.h.tick >= MAX_TICKS:
        g.h.ended = 1
        if g.h.winner != 1:
            g.h.winner = 0
