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
    uint64_t needed         # once one of them is 0: the cells that the answer rests on, one bit each

cdef enum:              # what the word of an entry is about
    OPEN = 0            # both numbers
    PROVEN = 1          # the cells needed
    DISPROVEN = 2

ctypedef struct Entry:
    uint64_t key            # of the position and the question; 0: free
    uint64_t word
    uint64_t work           # four times the positions looked at below it, and what the word is about

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


cdef inline Numbers numbers_in(const Entry* entry) noexcept nogil:
    cdef Numbers numbers
    cdef int about = entry.work & 3
    if about == OPEN:
        numbers.proof, numbers.disproof, numbers.needed = <uint32_t>(entry.word >> 32), <uint32_t>entry.word, 0
    else:
        numbers.proof = 0 if about == PROVEN else NEVER
        numbers.disproof = NEVER if about == PROVEN else 0
        numbers.needed = entry.word
    return numbers


cdef inline const Entry* find(const Table* table, uint64_t key) noexcept nogil:
    cdef Entry* bucket = table.entries + (key & table.mask & ~<uint64_t>(BUCKET - 1))
    cdef int i
    for i in range(BUCKET):
        if bucket[i].key == key:
            return &bucket[i]
    return NULL


cdef inline void remember(Table* table, uint64_t key, Numbers numbers, uint64_t work) noexcept nogil:
    """Enter what is known of a position."""
    cdef Entry* bucket = table.entries + (key & table.mask & ~<uint64_t>(BUCKET - 1))
    cdef int i, chosen = 0
    table.used = True
    work *= 4
    for i in range(BUCKET):
        if bucket[i].key == key:
            work += bucket[i].work & ~<uint64_t>3
            chosen = i
            break
        if bucket[i].work >> 2 < bucket[chosen].work >> 2:
            chosen = i
    bucket[chosen].key = key
    if numbers.proof and numbers.disproof:
        bucket[chosen].word, bucket[chosen].work = <uint64_t>numbers.proof << 32 | numbers.disproof, work | OPEN
    else:
        bucket[chosen].word, bucket[chosen].work = numbers.needed, work | (DISPROVEN if numbers.proof else PROVEN)
