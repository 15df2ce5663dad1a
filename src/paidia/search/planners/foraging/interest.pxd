# What is learned about a game while simulating it: which sprites are worth touching, which stand in the way, in which
# cells the avatar dies; and the map that a search reads: how good it is to be in a cell.

from libc.stdint cimport int32_t

from paidia.core.arcade cimport ArcadeGame, ArcadeState, Avatar, Seen

cdef enum:
    MAX_SIGHT = 10001


ctypedef struct Touch:
    # Of one type of sprite.
    double n                # times that the avatar met one
    double gain             # sum of what the score changed by then, a win or loss as the largest change seen
    double best             # the largest of these changes, 0 if there was no gain
    double shots            # the same for what the avatar shot
    double shot_gain
    double blocked          # times that the avatar did not move then
    double passed


cdef inline int units_held(ArcadeState state, int n_types) noexcept nogil:
    """Units of all resources that the avatar holds."""
    cdef int type, total = 0
    for type in range(n_types):
        total += state.c_resource(type)
    return total


cdef class Interest:
    cdef ArcadeGame game
    cdef int width, height, block, n_types, n_cells
    cdef Touch* touches             # by type
    cdef double largest             # change of the score
    cdef double* worth              # by cell, in [0, 1], scaled to the cells in reach of the avatar
    cdef double* deaths             # by cell, fading
    cdef double* stays
    cdef Seen* seen
    cdef int32_t* distance
    cdef int32_t* queue
    cdef char* wall                 # by cell
    cdef int32_t signature          # what the avatar is and holds
    cdef public double least        # how much the map counts at least, however far away all that is worth going to is

    # Forget everything.
    cdef void forget(self) noexcept nogil
    # A tick begins: draw the map for the situation `root`.
    cdef void draw(self, ArcadeState root) noexcept nogil
    # A simulation made a step to `state`, with these values before it.
    cdef void learn(self, ArcadeState state, const Avatar* before, double score, int n_collisions) noexcept nogil
    # How good it is to stand where the avatar of `state` stands: worth less the share of deaths there.
    cdef double at(self, ArcadeState state) noexcept nogil
    # The share of deaths where the avatar stands, and whether sprites of a type mostly stopped it.
    cdef double danger(self, int place) noexcept nogil
    cdef bint blocks(self, int type) noexcept nogil
    # For variants: added to the weight of a type.
    cdef double wish(self, int type) noexcept nogil
    # What was learned fades, as it does in every tick.
    cdef void fade(self) noexcept nogil

    cdef int cell(self, int x, int y) noexcept nogil
    cdef void spread(self, int type, int n_seen, double weight) noexcept nogil
    cdef void rescale(self, int centre) noexcept nogil
