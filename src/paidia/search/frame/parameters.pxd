# Where each parameter stands in a vector; the order is that of parameters.Parameters, which documents them.

cdef enum:
    P_C
    P_K
    P_REF
    P_EPSILON
    P_VO
    P_T
    P_FPU
    P_FPU_AMAF
    P_TAU
    P_W
    P_N
    P_NMIN
    P_ALPHA
    P_KAPPA
    P_D
    N_PARAMETERS
