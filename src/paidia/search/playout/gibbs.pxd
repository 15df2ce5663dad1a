# Gibbs sampling over move averages: MAST's playouts draw with it, and Cadia-style selection among unexplored moves.

from libc.math cimport INFINITY

from paidia.core.model cimport move_t
from paidia.core.machine.maths cimport exp
from paidia.core.machine.rng cimport rng_double
from paidia.search.frame.simulation cimport Simulation


cdef inline double spread(const Simulation* sim) noexcept nogil:
    """How far results reach: what a temperature on the scale of goals in [0, 1] must be multiplied by."""
    return sim.bounds.high - sim.bounds.low if sim.scaled and sim.bounds.high > sim.bounds.low else 1.0


cdef inline int gibbs_choice(
    const double* means, const move_t* moves, int n, double tau, Simulation* sim,
) noexcept nogil:
    """A move drawn with probability proportional to exp(mean / tau); the largest exponent is taken out first."""
    cdef double best = -INFINITY, total = 0.0, rest
    cdef int i
    for i in range(n):
        if means[moves[i]] == INFINITY:     # never played, and results have no bounds: the first such goes first
            return i
        best = max(best, means[moves[i]])
    for i in range(n):
        total += exp((means[moves[i]] - best) / tau)
    rest = rng_double(&sim.rng) * total
    for i in range(n):
        rest -= exp((means[moves[i]] - best) / tau)
        if rest < 0.0:
            return i
    return n - 1
