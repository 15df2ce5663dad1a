# The history of events: the newest ones in the block of the state, older ones in chunks that copies share.
#
# The history is a set: of several events with the same tick, origin and pair of types the first is kept. Within
# a tick it is ordered by origin (the avatar's shots first), passive and active type. Copying a state copies the
# few newest events and takes one more reference to the chunk of older ones, so the length of a game does not
# slow its copies down.

cdef extern from *:
    """
    #ifdef _MSC_VER
    #include <intrin.h>
    #define CHUNK_ADD(p, n) (_InterlockedExchangeAdd((volatile long*)(p), (n)) + (n))
    #else
    #define CHUNK_ADD(p, n) __atomic_add_fetch((p), (n), __ATOMIC_ACQ_REL)
    #endif
    """
    # states of one game may be copied by several threads
    int32_t CHUNK_ADD(int32_t* p, int n) noexcept nogil


cdef void hold_chunk(Chunk* chunk) noexcept nogil:
    if chunk != NULL:
        CHUNK_ADD(&chunk.references, 1)


cdef void drop_chunk(Chunk* chunk) noexcept nogil:
    cdef Chunk* older
    while chunk != NULL and CHUNK_ADD(&chunk.references, -1) == 0:
        older = chunk.older
        free(chunk)
        chunk = older


cdef inline long order(const Event* e) noexcept nogil:
    """Place of an event among those of its tick."""
    return ((0 if e.from_avatar else 1) << 30) | (<long>e.passive << 15) | e.active


cdef void flush(Head* h) noexcept nogil:
    """Move the events in the block into a chunk of their own."""
    cdef Chunk* chunk = <Chunk*>malloc(sizeof(Chunk))
    if chunk != NULL:
        chunk.older = h.chunk
        chunk.references = 1
        chunk.n = h.n_inline
        memcpy(chunk.events, h.events, h.n_inline * sizeof(Event))
        h.chunk = chunk
    else:
        h.n_events -= h.n_inline        # no memory: the history loses these
    h.n_inline = 0


cdef void record(Sim* g, const Event* event) noexcept nogil:
    """Enter an event unless its like happened in this tick."""
    cdef Head* h = g.h
    cdef long key = order(event)
    cdef int i
    cdef Chunk* chunk
    for i in range(h.n_inline - 1, -1, -1):
        if h.events[i].tick != event.tick:
            break
        if order(&h.events[i]) == key:
            return
    chunk = h.chunk
    while chunk != NULL and chunk.n > 0 and chunk.events[chunk.n - 1].tick == event.tick:
        for i in range(chunk.n):
            if chunk.events[i].tick == event.tick and order(&chunk.events[i]) == key:
                return
        chunk = chunk.older
    if h.n_inline == INLINE_EVENTS:
        flush(h)
    i = h.n_inline
    while i > 0 and h.events[i - 1].tick == event.tick and order(&h.events[i - 1]) > key:
        h.events[i] = h.events[i - 1]
        i -= 1
    h.events[i] = event[0]
    h.n_inline += 1
    h.n_events += 1


cdef int last_events(const Sim* g, int n, Event* out) noexcept nogil:
    """The newest `n` events in the order in which they are stored; returns how many there were."""
    cdef int total = g.h.n_events if g.h.n_events < n else n
    cdef int left = total, i
    cdef const Chunk* chunk = g.h.chunk
    for i in range(g.h.n_inline - 1, -1, -1):
        if left > 0:
            left -= 1
            out[left] = g.h.events[i]
    while chunk != NULL and left > 0:
        for i in range(chunk.n - 1, -1, -1):
            if left > 0:
                left -= 1
                out[left] = chunk.events[i]
        chunk = chunk.older
    return total


cdef int all_events(const Sim* g, Event* out, int limit) noexcept nogil:
    """The whole history, ordered."""
    cdef int n = last_events(g, limit, out)
    cdef int i, k
    cdef Event e
    for i in range(1, n):       # only a tick with very many events can be out of order across chunks
        e = out[i]
        k = i
        while k > 0 and out[k - 1].tick == e.tick and order(&out[k - 1]) > order(&e):
            out[k] = out[k - 1]
            k -= 1
        out[k] = e
    return n
