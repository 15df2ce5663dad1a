# Memory that grows while a search runs, up to a limit: a wish beyond it is refused like one that the machine cannot grant.

from libc.stdint cimport int64_t
from paidia.core.machine.memory cimport enlarge

cdef enum:
    LOCKS = 64          # of what several threads may want to change: things whose numbers end alike share one
    APART = 16          # numbers between things that different threads write: they must not slow each other down

cdef enum:              # of arrays that several threads share: they grow while all threads wait, never under anybody's hands
    ROOMY
    CROWDED             # a thread has found little room left, or none
    EXHAUSTED           # there is no more


cdef inline void crowd(int* state) noexcept nogil:
    """Say that there is little room."""
    if state[0] == ROOMY:
        state[0] = CROWDED


ctypedef struct Room:
    int64_t limit       # bytes
    int64_t used
    bint short_of       # a wish was refused


cdef inline bint has_room(Room* room, int64_t more) noexcept nogil:
    """Whether there is room for so many bytes more."""
    if room.used + more > room.limit:
        room.short_of = True
        return False
    return True


cdef inline void* resize(Room* room, void* block, int64_t before, int64_t after) noexcept nogil:
    """A block of `after` bytes with what was in the block of `before` bytes; NULL, and nothing changed, if there is no room."""
    cdef void* larger = NULL
    if has_room(room, after - before):
        larger = enlarge(block, <size_t>before, <size_t>after)
    if larger == NULL:
        room.short_of = True
        return NULL
    room.used += after - before
    return larger
