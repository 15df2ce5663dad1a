# Video games: an avatar, a few actions, sprites to be seen, a score, a clock that ticks whatever the player does.
# A move is an action; a role lists those of its avatar's class, and NIL, which is always possible, is none of them. Most have one
# role; where two play, they act at once, and what is said of "the avatar" without a role is the first one's.

from libc.stdint cimport int32_t

from paidia.core.model cimport Rules, Situation

cpdef enum Action:      # no order of theirs means anything; Python has their names from here
    NIL, UP, LEFT, DOWN, RIGHT, USE

cpdef enum Category:    # what an agent sees a sprite as
    AVATAR, RESOURCE, PORTAL, NPC, IMMOVABLE, FROM_AVATAR, MOVABLE

cdef enum:
    N_ACTIONS = USE + 1
    N_CATEGORIES = MOVABLE + 1
    ALL_CATEGORIES = (1 << N_CATEGORIES) - 1
    CHANGING_ONLY = 1 << N_CATEGORIES       # beside categories: without what has stood since the start and can only vanish


ctypedef struct Seen:
    # One sprite as an agent sees it; the position is that of its top left corner in pixels.
    int32_t category
    int32_t type
    int32_t id          # number of its creation, never used again
    int32_t x
    int32_t y


ctypedef struct Collision:
    # The avatar (or something it shot) met another sprite.
    int32_t tick
    int32_t active      # type of the avatar or shot
    int32_t passive     # type of what it met
    int32_t from_avatar     # 1: the active one is a shot
    int32_t x           # where the active one was afterwards
    int32_t y
    int32_t active_id
    int32_t passive_id


ctypedef struct Avatar:
    int32_t x
    int32_t y
    double facing_x
    double facing_y
    double speed        # cells per move
    int32_t type        # -1: the avatar is gone
    int32_t health
    int32_t max_health
    int32_t limit_health


cdef class ArcadeGame(Rules):
    # Immutable rules and level, shared by all states.
    cdef readonly str level
    cdef readonly tuple types           # names of the sprite types; a type is its place in here
    cdef readonly int width             # of the level, in cells
    cdef readonly int height
    cdef readonly int block             # pixels of a cell's side
    cdef readonly int max_ticks

    cdef void declare(
        self, str id, str level, tuple types, int width, int height, int block, int max_ticks, bint stochastic,
        tuple roles=*
    ) except *


cdef class ArcadeState(Situation):
    cdef double c_score(self) noexcept nogil
    cdef int c_tick(self) noexcept nogil            # completed ticks
    cdef bint c_alive(self, int role) noexcept nogil
    cdef void c_avatar(self, Avatar* out) noexcept nogil
    # Amount of the resource of a type that the avatar holds, 0 if none.
    cdef int c_resource(self, int type) noexcept nogil
    cdef int c_count(self, int type) noexcept nogil         # living sprites of exactly this type
    # The visible sprites whose category is in the set (bit 1 << category), by type and then age; at most
    # `limit` of them are written, the number of all is returned. CHANGING_ONLY is a wish that a game may grant.
    cdef int c_seen(self, unsigned int categories, Seen* out, int limit) noexcept nogil
    cdef int c_n_collisions(self) noexcept nogil            # in the whole history
    # The newest `n` collisions, oldest first; returns how many were written.
    cdef int c_collisions(self, int n, Collision* out) noexcept nogil
