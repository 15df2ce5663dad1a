# exp and log that are equal to the last bit on every machine (see maths.h). sqrt is exact by itself: take libc's.

cdef extern from "paidia/core/machine/maths.h" nogil:
    double exp "paidia_exp"(double x)
    double log "paidia_log"(double x)
    # The same for numbers of visits, looked up where they are small; a module calls prepare_counts() once before.
    void prepare_counts "paidia_prepare_counts"()
    double log_count "paidia_log_count"(int n)              # ln n, 0 for n = 0
    double inverse_root "paidia_inverse_root"(int n)        # 1 / sqrt(n)
    double bound "paidia_bound"(double sum, double scale, int n)    # sum * (1 / n) + scale * (1 / sqrt(n))
    double root_log_count "paidia_root_log_count"(int n)    # sqrt(ln n), 0 for n = 0
