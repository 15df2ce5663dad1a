# Phases E and F of a tick: is the game over, and who won.

from paidia.games.vgdl.engine.layout cimport Sim

cdef void check_ends(Sim* g) noexcept nogil
