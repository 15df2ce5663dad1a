# A VGDL game on one level, and its states.

from libc.stdint cimport uint8_t

from paidia.core.arcade cimport ArcadeGame, ArcadeState
from paidia.games.vgdl.engine.layout cimport Rules, Sim


cdef class VgdlGame(ArcadeGame):
    cdef Rules rules
    cdef Sim start              # the level before the first tick
    cdef list memory            # keeps the arrays of the rules alive
    cdef readonly object tables
    cdef readonly bint reference_generator


cdef class VgdlState(ArcadeState):
    cdef Sim sim


# What is seen of a situation as bytes: bits by cell and type (the two parts add to what is there), or the type on top.
cdef void fill_fixtures(Sim* g, uint8_t* out) noexcept nogil
cdef void fill_moving(Sim* g, uint8_t* out) noexcept nogil
cdef void fill_ids(Sim* g, uint8_t* out) noexcept nogil
