# The best of some offers; equal ones are drawn from at random, each with the same chance.

from libc.math cimport INFINITY

from paidia.core.machine.rng cimport Rng, rng_below

ctypedef struct Best:
    double value
    int chosen
    int equal           # offers as good as the best, itself included; 0: there was none


cdef inline Best no_offer(int otherwise) noexcept nogil:
    """Nothing offered yet; `otherwise` is chosen if that stays so."""
    cdef Best best
    best.value, best.chosen, best.equal = -INFINITY, otherwise, 0
    return best


cdef inline void offer(Best* best, Rng* rng, double value, int choice) noexcept nogil:
    if value > best.value:
        best.value, best.chosen, best.equal = value, choice, 1
    elif value == best.value:
        best.equal += 1
        if rng_below(rng, best.equal) == 0:
            best.chosen = choice
