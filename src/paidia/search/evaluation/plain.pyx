"""Plain evaluation: the score, and far more or less than any score at a win or a loss (X of the thesis, section 3.1).

In games with goals it is the goal, with the same distance at its ends.
"""

from paidia.core.model cimport Situation
from paidia.search.evaluation.base cimport Evaluation, plain_value

from paidia.search.registry import EVALUATIONS


cdef class Plain(Evaluation):
    """The plain value."""

    cdef double value(self, Situation state, int role) noexcept nogil:
        return plain_value(state, role)


EVALUATIONS.add("plain", Plain)
