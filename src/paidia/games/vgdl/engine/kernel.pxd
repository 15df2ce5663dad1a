# What a state and the compiler of tables need of the engine.

from libc.stdint cimport int8_t, uint64_t

from paidia.core.model cimport move_t
from paidia.games.vgdl.engine.layout cimport Event, Sim, Type

cdef void advance(Sim* g, const move_t* actions) noexcept nogil      # one tick, an action for each player
cdef void seed_generator(Sim* g, uint64_t seed) noexcept nogil

# The block of a state.
cdef bint allocate(Sim* g, int capacity) noexcept nogil
cdef void release(Sim* g) noexcept nogil
cdef bint copy_block(Sim* to, const Sim* source) noexcept nogil
cdef bint restore(Sim* g, const char* block, int used, const Event* older, int n_older) noexcept nogil

# What is in it.
cdef int living(Sim* g, int type) noexcept nogil
cdef int all_events(const Sim* g, Event* out, int limit) noexcept nogil
cdef int last_events(const Sim* g, int n, Event* out) noexcept nogil

# Building the first one.
cdef int add(Sim* g, int type, int x, int y, bint force) noexcept nogil
cdef void insert_timer(Sim* g, int effect, int tick, bint alone) noexcept nogil
cdef bint find_paths(int width, int height, const int8_t* blocked, int8_t* steps) noexcept nogil
cdef object bind_class(Type* t, str name)
