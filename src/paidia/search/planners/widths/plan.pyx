# distutils: extra_compile_args = -O1
"""A plan of at most MAX_PLAN actions (see plan.pxd)."""

from libc.stdint cimport uint64_t

from paidia.core.model cimport move_t


cdef class Plan:
    """Actions in a ring."""

    def rest(self):
        """The actions still to play."""
        return [self.actions[(self.first + i) % MAX_PLAN] for i in range(self.n)]

    cdef void clear(self) noexcept nogil:
        self.first = self.n = 0

    cdef int left(self) noexcept nogil:
        return self.n

    cdef bint add(self, move_t action, uint64_t key) noexcept nogil:
        cdef int place = (self.first + self.n) % MAX_PLAN
        if self.n == MAX_PLAN:
            return False
        self.actions[place], self.keys[place] = action, key
        self.n += 1
        return True

    cdef uint64_t expected(self) noexcept nogil:
        return self.keys[self.first]

    cdef move_t take(self) noexcept nogil:
        cdef move_t action = self.actions[self.first]
        self.first = (self.first + 1) % MAX_PLAN
        self.n -= 1
        return action
