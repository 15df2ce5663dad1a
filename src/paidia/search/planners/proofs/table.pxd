# What is remembered of positions: how far each is from an answer, and the work that this rests on.
#
# Four positions share a place; the one with the least work behind it goes first.

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from paidia.core.machine.memory cimport calloc

cdef enum:
    NEVER = 1 << 30         # a number that no work brings down
    BUCKET = 4

ctypedef struct Numbers:
    uint32_t proof
    uint32_t disproof

ctypedef struct Entry:
    uint64_t key            # of the position and the question; 0: free
    Numbers numbers
    int64_t work            # positions looked at below it

ctypedef struct Table:
    Entry* entries
    uint64_t mask
    bint used


cdef inline bint make_table(Table* table, uint64_t bytes) noexcept nogil:
    """Room for as many positions as fit, a power of two; False if there is no memory for it."""
    cdef uint64_t entries = BUCKET
    while 2 * entries * sizeof(Entry) <= bytes:
        entries *= 2
    table.mask = entries - 1
    table.entries = <Entry*>calloc(entries, sizeof(Entry))
    return table.entries != NULL


cdef inline void free_table(Table* table) noexcept nogil:
    free(table.entries)


cdef inline void wipe(Table* table) noexcept nogil:
    """Forget all. What has never been written to need not be wiped, which would take memory for it."""
    if table.used:
        memset(table.entries, 0, (table.mask + 1) * sizeof(Entry))
    table.used = False


cdef inline const Entry* find(const Table* table, uint64_t key) noexcept nogil:
    cdef Entry* bucket = table.entries + (key & table.mask & ~<uint64_t>(BUCKET - 1))
    cdef int i
    for i in range(BUCKET):
        if bucket[i].key == key:
            return &bucket[i]
    return NULL


cdef inline void remember(Table* table, uint64_t key, Numbers numbers, int64_t work) noexcept nogil:
    """Enter what is known of a position."""
    cdef Entry* bucket = table.entries + (key & table.mask & ~<uint64_t>(BUCKET - 1))
    cdef int i, chosen = 0
    table.used = True
    for i in range(BUCKET):
        if bucket[i].key == key:
            work += bucket[i].work
            chosen = i
            break
        if bucket[i].work < bucket[chosen].work:
            chosen = i
    bucket[chosen].key, bucket[chosen].numbers, bucket[chosen].work = key, numbers, work
