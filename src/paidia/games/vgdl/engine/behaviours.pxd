# What sprites other than the avatar do in a tick.

from paidia.games.vgdl.engine.layout cimport Sim

cdef void update_sprites(Sim* g) noexcept nogil
