# Knowledge-Based Evaluation: which types of sprites are worth walking to, learnt from simulations.
#
# A search calls begin_game once, begin_tick with the root of every tick, observe after every simulated step and
# evaluate at the end of a simulation. In its step loop:
#
#     met = state.c_n_collisions()
#     ... play_alone(state, action)
#     met = knowledge.observe(state, met, score_after - score_before)
#
# and at the end, where the plain evaluation did not change:  x += knowledge.normalised(knowledge.evaluate(state))

from libc.stdint cimport int8_t, int32_t, int64_t

cimport cython

from paidia.core.arcade cimport ArcadeGame, ArcadeState, Collision, Seen
from paidia.search.evaluation.distances cimport Distances
from paidia.search.frame.scale cimport Bounds

cdef enum:              # what is known of a type
    UNSEEN = 0
    KNOWN = 1
    LEFT_OUT = 2        # the wall, avatars, what avatars create


ctypedef struct Kind:
    # What was learnt of one type.
    double weight
    double rate         # learning rate
    double change       # sum of the changes of the score at its collisions
    int64_t collisions
    int32_t at_root     # distance to the closest one in the root
    int32_t now         # ... and in the state that was measured last
    int8_t status


@cython.final
cdef class Knowledge:
    cdef readonly Distances distances
    cdef ArcadeGame game
    cdef int n_types
    cdef Kind* kinds
    cdef Bounds bounds                  # of all evaluations so far
    cdef Seen* seen
    cdef int n_room                     # sprites that `seen` can hold
    cdef Collision* collisions
    cdef int n_collisions_room

    # Distances in the root, once per tick; makes room for twice as many sprites as the root has.
    cpdef void begin_tick(self, ArcadeState root) noexcept nogil
    # Learn from one simulated step: `before` is the number of collisions before it, delta the change of the
    # score. Returns the number of collisions now.
    cpdef int observe(self, ArcadeState after, int before, double delta) noexcept nogil
    # Sum of weight * (distance in the root - distance in the state) over all relevant types.
    cpdef double evaluate(self, ArcadeState state) noexcept nogil
    # An evaluation in [0, 0.5] by the extremes of all that were ever given to this method, this one included.
    cpdef double normalised(self, double raw) noexcept nogil

    cdef bint same_game(self, ArcadeState state) noexcept nogil
    cdef bint make_room(self, int n_sprites) noexcept nogil
    cdef bint measure(self, ArcadeState state, bint everything) noexcept nogil
    cdef void meet(self, ArcadeState state, int type) noexcept nogil
    cdef void release(self) noexcept
