# Phase C of a tick: time effects, effects at the edge of the world, effects of colliding pairs.

from paidia.games.vgdl.engine.layout cimport Sim

cdef void handle_events(Sim* g) noexcept nogil
