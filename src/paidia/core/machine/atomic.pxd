# Data that several threads work on at once (see atomic.h).

from libc.stdint cimport int32_t, int64_t, uint64_t

cdef extern from "paidia/core/machine/atomic.h" nogil:
    # A lock is an int that is 0 while nobody has it.
    void acquire "paidia_lock"(int* lock) noexcept
    void release "paidia_unlock"(int* lock) noexcept
    # What was written before `put` or `store` is seen by whoever gets the new value.
    void* load "paidia_load"(void** at) noexcept
    void store "paidia_store"(void** at, void* pointer) noexcept
    int32_t get "paidia_get"(const int32_t* at) noexcept
    void put "paidia_put"(int32_t* at, int32_t n) noexcept
    void put_long "paidia_put_long"(int64_t* at, int64_t n) noexcept
    # The value before.
    int32_t add "paidia_add"(int32_t* at, int32_t n) noexcept
    int64_t add_long "paidia_add_long"(int64_t* at, int64_t n) noexcept
    void add_double "paidia_add_double"(double* at, double amount) noexcept
    # Whether it was `old` and now is the new value.
    bint replace "paidia_replace"(int32_t* at, int32_t old, int32_t n) noexcept
    bint replace_long "paidia_replace_long"(uint64_t* at, uint64_t old, uint64_t n) noexcept
    # Let another thread have the core.
    void yield_core "paidia_yield"() noexcept
