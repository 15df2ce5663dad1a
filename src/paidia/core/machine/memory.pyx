# distutils: extra_compile_args = -O1
"""Memory of kernels, and what happens when there is none.

Kernels allocate through this module, so that tests can let the n-th allocation fail:

    with failing(3) as calls:       # the third allocation from here on fails, and all after it
        ...
    calls.made                      # how many there were

Without that, it costs a comparison with a number.
"""

from libc.stdlib cimport calloc as c_calloc
from libc.stdlib cimport malloc as c_malloc
from libc.stdlib cimport realloc as c_realloc

cdef extern from "paidia/core/machine/pages.h" nogil:
    void* c_enlarge "paidia_enlarge"(void* block, size_t held, size_t size)
    void c_discard "paidia_discard"(void* block)

__all__ = ["failing"]

cdef long first_to_fail = 0     # 0: none
cdef long made = 0


cdef inline bint refused() noexcept nogil:
    global made
    if first_to_fail == 0:
        return False
    made += 1
    return made >= first_to_fail


cdef void* malloc(size_t size) noexcept nogil:
    return NULL if refused() else c_malloc(size)


cdef void* calloc(size_t n, size_t size) noexcept nogil:
    return NULL if refused() else c_calloc(n, size)


cdef void* realloc(void* block, size_t size) noexcept nogil:
    return NULL if refused() else c_realloc(block, size)


cdef void* enlarge(void* block, size_t held, size_t size) noexcept nogil:
    return NULL if refused() else c_enlarge(block, held, size)


cdef void discard(void* block) noexcept nogil:
    c_discard(block)


cdef class failing:
    """Inside, the n-th allocation of kernels and all after it fail; not for use by several threads.

    Attributes:
        made: Allocations that were asked for.
    """

    cdef long n
    cdef readonly long made

    def __init__(self, long n):
        if n < 1:
            raise ValueError("allocations are counted from 1")
        self.n = n

    def __enter__(self):
        global first_to_fail, made
        made = 0
        first_to_fail = self.n
        return self

    def __exit__(self, *error):
        global first_to_fail
        first_to_fail = 0
        self.made = made
