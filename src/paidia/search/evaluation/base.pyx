# distutils: extra_compile_args = -O1
"""The base of evaluation strategies."""

from paidia.core.model cimport Situation
from paidia.search.frame.simulation cimport Simulation


cdef class Evaluation(Strategy):
    """Says what a situation is worth to a role, on a scale of its own; the search brings it to [0, 1]."""

    cdef double value(self, Situation state, int role) noexcept nogil:
        return 0.0

    cdef bint goes_on(self, Situation state, Simulation* sim) noexcept nogil:
        return False

    cdef void before(self, Situation state) noexcept nogil:
        pass

    cdef void after(self, Situation state) noexcept nogil:
        pass


cdef class PythonEvaluation(Evaluation):
    """An evaluation in plain Python: override `worth`. Slow, and right for trying ideas."""

    def worth(self, state, role):
        """What a state is worth to a role, a number on any scale; the state must not be changed."""
        raise NotImplementedError

    cdef double value(self, Situation state, int role) noexcept nogil:
        cdef double value = 0.0
        with gil:
            try:
                value = self.worth(state, role)
            except BaseException as error:
                self.fail(error)
        return value
