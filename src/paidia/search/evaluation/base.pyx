# distutils: extra_compile_args = -O1
"""The base of evaluation strategies."""

from paidia.core.model cimport Situation


cdef class Evaluation(Strategy):
    """Says what a situation is worth to a role, on a scale of its own; the search brings it to [0, 1]."""

    cdef double value(self, Situation state, int role) noexcept nogil:
        return 0.0

    cdef void before(self, Situation state) noexcept nogil:
        pass

    cdef void after(self, Situation state) noexcept nogil:
        pass
