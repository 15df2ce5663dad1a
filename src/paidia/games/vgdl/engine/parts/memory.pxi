# The block of memory that a state is: making, growing, copying it, and the slots of its records.

cdef void seat(Sim* g) noexcept nogil:
    """Point into the block where its parts are."""
    cdef const Rules* r = g.rules
    g.h = <Head*>g.block
    g.groups = <GroupState*>(g.block + r.groups_at)
    g.alive = <uint64_t*>(g.block + r.alive_at)
    g.score_flags = <uint64_t*>(g.block + r.flags_at)
    g.cells = <int16_t*>(g.block + r.cells_at)
    g.records = g.block + r.records_at


cdef bint allocate(Sim* g, int capacity) noexcept nogil:
    """A block for a new state; false if there is no memory."""
    memset(&g.s, 0, sizeof(g.s))
    g.capacity = capacity
    g.block = <char*>malloc(g.rules.records_at + <size_t>capacity * g.rules.stride)
    g.s.killed = <uint64_t*>malloc(8 * (g.rules.n_words + 1))
    if g.block == NULL or g.s.killed == NULL:
        free(g.block)
        free(g.s.killed)
        g.block = NULL
        g.s.killed = NULL
        return False
    memset(g.block, 0, g.rules.records_at)
    memset(g.s.killed, 0, 8 * (g.rules.n_words + 1))
    seat(g)
    return True


cdef void release(Sim* g) noexcept nogil:
    if g.block != NULL:
        drop_chunk(g.h.chunk)
    free(g.block)
    free(g.s.killed)
    free(g.s.kills)
    free(g.s.hits)
    free(g.s.candidates)
    free(g.s.shields)
    free(g.s.pulled)
    memset(&g.s, 0, sizeof(g.s))
    g.block = NULL


cdef bint grow(Sim* g, int capacity) noexcept nogil:
    """Room for more records. The block may move: pointers to sprites are void afterwards, references are not.
    """
    cdef char* block
    if capacity > MAX_SLOTS:
        capacity = MAX_SLOTS
    if capacity <= g.capacity:
        return False
    block = <char*>realloc(g.block, g.rules.records_at + <size_t>capacity * g.rules.stride)
    if block == NULL:
        return False
    g.block = block
    g.capacity = capacity
    seat(g)
    return True


cdef bint copy_block(Sim* to, const Sim* source) noexcept nogil:
    """Become a copy of another state of the same game."""
    cdef int used = source.h.used
    cdef Chunk* before = to.h.chunk
    if used > to.capacity and not grow(to, used):
        return False
    memcpy(to.block, source.block, source.rules.records_at + <size_t>used * source.rules.stride)
    if before != source.h.chunk:
        hold_chunk(source.h.chunk)
        drop_chunk(before)
    return True


cdef bint restore(Sim* g, const char* block, int used, const Event* older, int n_older) noexcept nogil:
    """Become what a block of bytes holds, with `used` slots, and the events that are in chunks there, the oldest first."""
    cdef Chunk* chunk
    cdef int first = 0, n
    if used > g.capacity and not grow(g, used):
        return False
    drop_chunk(g.h.chunk)
    memcpy(g.block, block, g.rules.records_at + <size_t>used * g.rules.stride)
    g.h.chunk = NULL
    while first < n_older:
        n = n_older - first if n_older - first < INLINE_EVENTS else INLINE_EVENTS
        chunk = <Chunk*>malloc(sizeof(Chunk))
        if chunk == NULL:
            return False
        chunk.older = g.h.chunk
        chunk.references = 1
        chunk.n = n
        memcpy(chunk.events, older + first, n * sizeof(Event))
        g.h.chunk = chunk
        first += n
    return True


cdef int take_slot(Sim* g) noexcept nogil:
    """A free slot, or -1. Never moves the block."""
    cdef Head* h = g.h
    cdef int slot
    if h.n_free > 0:
        slot = h.free_head
        h.free_head = at(g, slot).next
        h.n_free -= 1
        return slot
    if h.used < g.capacity:
        h.used += 1
        return h.used - 1
    return -1


cdef void free_slot(Sim* g, int slot) noexcept nogil:
    cdef Head* h = g.h
    if slot == h.used - 1:
        h.used -= 1
        return
    at(g, slot).next = <int16_t>h.free_head
    at(g, slot).id = -1
    h.free_head = slot
    h.n_free += 1


cdef inline bint room(Sim* g) noexcept nogil:
    """Make sure that the next update or effect finds its slots without moving the block under it."""
    if g.h.n_free + g.capacity - g.h.used < g.rules.spare:
        return grow(g, 2 * g.capacity + g.rules.spare)
    return True
