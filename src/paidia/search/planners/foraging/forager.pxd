# `Forager`: OLETS with a learned map, with the places where a variant of it adds something of its own.

from paidia.core.arcade cimport Avatar
from paidia.search.planners.foraging.interest cimport Interest
from paidia.search.planners.foraging.olets cimport Olets

cdef enum:
    PULL = 2            # places in the vector of parameters
    RISK = 3


cdef class Forager(Olets):
    cdef Interest interest
    cdef Avatar before                  # the step before the present one of a simulation
    cdef double score_before
    cdef int collisions_before
