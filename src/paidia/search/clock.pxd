# Monotonic wall-clock time in seconds, without Python.

cdef extern from "paidia/search/clock.h" nogil:
    double now "paidia_now"()
