# The history of events: the newest ones in the block of the state, older ones in chunks that copies share.

from paidia.games.vgdl.engine.layout cimport Chunk, Event, Sim

cdef void hold_chunk(Chunk* chunk) noexcept nogil
cdef void drop_chunk(Chunk* chunk) noexcept nogil
cdef void record(Sim* g, const Event* event) noexcept nogil
cdef int all_events(const Sim* g, Event* out, int limit) noexcept nogil
cdef int last_events(const Sim* g, int n, Event* out) noexcept nogil
