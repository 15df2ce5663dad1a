"""MAST (Move-Average Sampling Technique): playouts prefer moves that did well anywhere.

Epsilon-greedy: with probability epsilon a uniformly random move, else the move with the highest mean over all
simulations in which the role played it (tree or playout), ties at random. Gibbs: P(a) proportional to exp(mean(a) /
tau). A move that was never played has the mean 1. After each step of the game all visits are multiplied by `decay`, the
means stay.

Finnsson and Bjornsson 2008 (Gibbs); Sironi and Winands 2018 (epsilon-greedy, decay 0.2: docs/readings.md#mast). epsilon is the
probability of a RANDOM move (docs/readings.md#epsilon). Parameters: epsilon, tau.
"""

from libc.math cimport INFINITY

from paidia.core.model cimport Situation, move_t
from paidia.core.machine.rng cimport rng_below, rng_double
from paidia.search.frame.parameters cimport N_PARAMETERS, P_EPSILON, P_TAU
from paidia.search.playout.base cimport Playout
from paidia.search.playout.gibbs cimport gibbs_choice, spread
from paidia.search.frame.simulation cimport Simulation
from paidia.search.statistics.actions cimport means_here
from paidia.search.frame.strategy cimport flag

from paidia.search.registry import PLAYOUTS


cdef class Mast(Playout):
    """MAST.

    Options:
        decay: Factor on all visits after each step of the game; 1 keeps everything.
        gibbs: Draw by exp(mean / tau) instead of epsilon-greedily.
    """

    needs = ("actions",)
    records = True
    options = ("decay", "gibbs")

    cdef double decay
    cdef bint gibbs

    def __init__(self, *, double decay=0.2, gibbs=False):
        if not 0.0 <= decay <= 1.0:
            raise ValueError(f"decay is a factor from 0 to 1, not {decay}")
        self.decay, self.gibbs = decay, flag("gibbs", gibbs)

    def begin_turn(self, int step):
        if self.decay < 1.0:
            self.actions.decay(self.decay)

    cdef int choose(self, Situation state, Simulation* sim, int role, const move_t* moves, int n) noexcept nogil:
        cdef double* p = sim.vectors + role * N_PARAMETERS
        cdef const double* means = means_here(self.actions, role, sim)
        if self.gibbs:
            return gibbs_choice(means, moves, n, p[P_TAU] * spread(sim), sim)
        if rng_double(&sim.rng) < p[P_EPSILON]:
            return rng_below(&sim.rng, n)
        return greedy_choice(means, moves, n, sim)


cdef inline int greedy_choice(const double* means, const move_t* moves, int n, Simulation* sim) noexcept nogil:
    """A move with the highest mean; ties at random."""
    cdef double best = -INFINITY, value
    cdef int i, equal = 0, chosen = 0
    for i in range(n):
        value = means[moves[i]]
        if value > best:
            best, equal, chosen = value, 1, i
        elif value == best:
            equal += 1
    if equal == 1:
        return chosen
    equal = rng_below(&sim.rng, equal)
    for i in range(chosen, n):
        if means[moves[i]] == best:
            if equal == 0:
                return i
            equal -= 1
    return chosen


PLAYOUTS.add("mast", Mast)
