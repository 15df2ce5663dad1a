# The C allocator as all kernels use it, with a count-down for tests: the n-th call from now on fails, as if there were no memory.

cdef void* malloc(size_t size) noexcept nogil
cdef void* calloc(size_t n, size_t size) noexcept nogil
cdef void* realloc(void* block, size_t size) noexcept nogil
# A block with what was in the one of `held` bytes; a large one on large pages, where it grows without a copy, if the system can.
cdef void* enlarge(void* block, size_t held, size_t size) noexcept nogil
# The end of such a block, or of one of malloc.
cdef void discard(void* block) noexcept nogil
