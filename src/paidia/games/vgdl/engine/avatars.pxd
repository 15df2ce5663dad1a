# What the controlled avatar does with an action.

from paidia.games.vgdl.engine.layout cimport Sim

cdef void update_avatar(Sim* g, int action) noexcept nogil
