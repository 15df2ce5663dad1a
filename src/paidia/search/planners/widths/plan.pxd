# A plan: actions to play, each with the key of the situation in which it must be played.

from libc.stdint cimport uint64_t

from paidia.core.model cimport move_t

cdef enum:
    MAX_PLAN = 4096


cdef class Plan:
    cdef move_t actions[MAX_PLAN]       # a ring
    cdef uint64_t keys[MAX_PLAN]
    cdef int first, n

    cdef void clear(self) noexcept nogil
    cdef int left(self) noexcept nogil
    # Put an action at the end; False if the plan is full.
    cdef bint add(self, move_t action, uint64_t key) noexcept nogil
    # The key of the situation in which the next action must be played.
    cdef uint64_t expected(self) noexcept nogil
    # Remove the next action.
    cdef move_t take(self) noexcept nogil
