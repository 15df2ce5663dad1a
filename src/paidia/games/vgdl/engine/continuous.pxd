# Continuous physics: forces, gravity and friction, and the classes and effects that only make sense with
# them.

from paidia.games.vgdl.engine.layout cimport Effect, Hit, Sim, Sprite

cdef enum:
    FOOT = 3        # pixels that the ground may be below a sprite that stands on it

cdef int passive_drift(Sim* g, Sprite* s) noexcept nogil
cdef int active_force(Sim* g, Sprite* s, double ax, double ay, double speed) noexcept nogil
cdef void update_continuous_avatar(Sim* g, Sprite* s, int action, double dx, double dy) noexcept nogil
cdef void update_walker(Sim* g, Sprite* s) noexcept nogil
cdef void update_inertial(Sim* g, Sprite* s) noexcept nogil
cdef int continuous_effect(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil
cdef void touch_ground(Sim* g, Sprite* s, const Sprite* other) noexcept nogil
cdef void bounce_off(Sim* g, const Effect* e, int ref, const Hit* hits, int n) noexcept nogil
