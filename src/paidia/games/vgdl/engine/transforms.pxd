# Sprites that become other sprites.

from paidia.games.vgdl.engine.layout cimport Effect, Sim, Sprite

cdef void transform(Sim* g, const Effect* e, int new_slot, Sprite* old, Sprite* second) noexcept nogil
cdef void transform_all(Sim* g, const Effect* e, int ref2) noexcept nogil
cdef void transform_to_singleton(Sim* g, const Effect* e, int ref1, int ref2) noexcept nogil
cdef void random_child(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil
