from libc.stdint cimport uint64_t

ctypedef struct Slot:
    uint64_t key
    uint64_t entry              # 0 if the slot is free, else 1 + number of the key


cdef class KeyTable:
    # Numbers 0, 1, .. for 64-bit keys, in the order in which they were entered: open addressing.
    cdef Slot* slots
    cdef int bits               # the table has 2**bits slots
    cdef size_t n

    # 1 + the number of a key, or 0.
    cdef size_t find(self, uint64_t key) noexcept nogil
    # A key that is not there yet, into a table that is not full.
    cdef void enter(self, uint64_t key) noexcept nogil
    # A key will be looked for soon.
    cdef void expect(self, uint64_t key) noexcept nogil
    # Whether the table has to grow before the next key.
    cdef bint full(self) noexcept nogil
    # Bytes of the table; it takes as many more when it grows.
    cdef size_t size(self) noexcept nogil
    # False where there is no memory.
    cdef bint grow(self) noexcept nogil
    cdef size_t slot_of(self, uint64_t key) noexcept nogil
