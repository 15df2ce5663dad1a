# What interactions do to sprites.

from paidia.games.vgdl.engine.layout cimport Effect, Sim

cdef enum:
    NO_SCORE, SCORE, SCORE_KILLED

cdef int apply(Sim* g, const Effect* e, int ref1, int ref2) noexcept nogil
cdef void insert_timer(Sim* g, int effect, int tick, bint alone) noexcept nogil
