"""Which of millions of 64-bit keys came before, and as which number."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free

from paidia.core.machine.bits cimport prefetch
from paidia.core.machine.memory cimport calloc


cdef class KeyTable:

    def __cinit__(self):
        self.bits = 4
        self.slots = <Slot*>calloc((<size_t>1) << self.bits, sizeof(Slot))
        if self.slots == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.slots)

    cdef size_t slot_of(self, uint64_t key) noexcept nogil:
        """Where a key is, or the free slot where it belongs."""
        cdef size_t mask = ((<size_t>1) << self.bits) - 1
        cdef size_t slot = (key * <uint64_t>0x9E3779B97F4A7C15) >> (64 - self.bits)
        while self.slots[slot].entry != 0 and self.slots[slot].key != key:
            slot = (slot + 1) & mask
        return slot

    cdef size_t find(self, uint64_t key) noexcept nogil:
        return self.slots[self.slot_of(key)].entry

    cdef void enter(self, uint64_t key) noexcept nogil:
        cdef Slot* slot = &self.slots[self.slot_of(key)]
        self.n += 1
        slot.key, slot.entry = key, self.n

    cdef void expect(self, uint64_t key) noexcept nogil:
        prefetch(&self.slots[(key * <uint64_t>0x9E3779B97F4A7C15) >> (64 - self.bits)])

    cdef bint full(self) noexcept nogil:
        return 4 * (self.n + 1) > 3 * ((<size_t>1) << self.bits)

    cdef size_t size(self) noexcept nogil:
        return ((<size_t>1) << self.bits) * sizeof(Slot)

    cdef bint grow(self) noexcept nogil:
        cdef Slot* old = self.slots
        cdef size_t i, n_slots = (<size_t>1) << self.bits
        cdef Slot* grown = <Slot*>calloc(2 * n_slots, sizeof(Slot))
        if grown == NULL:
            return False
        self.slots = grown
        self.bits += 1
        for i in range(n_slots):
            if old[i].entry != 0:
                grown[self.slot_of(old[i].key)] = old[i]
        free(old)
        return True
