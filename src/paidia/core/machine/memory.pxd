# The C allocator as all kernels use it, with a count-down for tests: the n-th call from now on fails, as if there were no memory.

cdef void* malloc(size_t size) noexcept nogil
cdef void* calloc(size_t n, size_t size) noexcept nogil
cdef void* realloc(void* block, size_t size) noexcept nogil
# A large block with what was in the one of `held` bytes, on large pages where the system has them; for a moment both are there.
cdef void* enlarge(void* block, size_t held, size_t size) noexcept nogil
