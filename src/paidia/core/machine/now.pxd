# Seconds of a clock that only goes forward.

cdef extern from "paidia/core/machine/now.h" nogil:
    double now "paidia_now"() noexcept
