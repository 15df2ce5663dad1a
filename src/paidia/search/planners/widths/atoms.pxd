# The facts of a situation that novelty looks at: avatar(cell, orientation, type) and at(cell, type), each as one
# number below `n_codes`. The cell is that of a sprite's top left corner; what is outside the level gives no atom.
# Of other games the facts that they tell themselves (core/model.pxd), fluents of GDL for instance.

from libc.stdint cimport int32_t

from paidia.core.arcade cimport Seen
from paidia.core.model cimport Rules, Situation

cdef enum:
    MAX_SEEN = 10001        # sprites looked at; no game has more
    N_FACINGS = 5           # towards nothing, up, left, down, right


cdef class Atoms:
    cdef readonly Rules game
    cdef readonly bint sprites              # of a video game
    cdef readonly int room                  # no situation has more atoms
    cdef int32_t width, height, block, n_types
    cdef readonly int32_t n_codes
    cdef readonly int32_t first_avatar      # codes from here on are avatar(...)
    cdef Seen* seen
    # Of the situation read last: its atoms, that of the avatar (if it has one) in front; an atom of several equal
    # sprites stands there several times.
    cdef int32_t* atoms
    cdef readonly int n
    cdef readonly bint has_avatar

    # Fill `atoms` from a situation. With `changing` the sprites that have stood since the start of the level and
    # can only vanish are left out: their atoms were true in every earlier situation of the same game, so for the
    # novelty of single atoms they never matter.
    cdef void read(self, Situation state, bint changing) noexcept nogil
