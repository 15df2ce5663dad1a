# exp and log that are equal to the last bit on every machine (see maths.h). sqrt is exact by itself: take libc's.

cdef extern from "paidia/core/maths.h" nogil:
    double exp "paidia_exp"(double x)
    double log "paidia_log"(double x)
