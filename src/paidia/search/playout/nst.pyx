"""NST (N-gram Selection Technique): playouts prefer moves that did well after the moves just played.

With probability epsilon a uniformly random move, else the one with the highest value, ties at random. The value of a
move is the mean of the averages of the N-grams of length 1 .. n that end with it; one longer than 1 counts only with at
least `nmin` visits, and longer ones are skipped once a shorter one is too rare. A move whose 1-gram was never seen has
the value 1.

Tak, Winands and Bjornsson 2012; spec 2.1, ggp_details section 6. Parameters: epsilon, n, nmin.
"""

from libc.math cimport INFINITY
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from paidia.core.game cimport Game, State
from paidia.core.model cimport move_t
from paidia.core.rng cimport rng_below, rng_double
from paidia.search.parameters cimport N_PARAMETERS, P_EPSILON, P_N, P_NMIN
from paidia.search.playout.base cimport Playout
from paidia.search.simulation cimport Simulation
from paidia.search.statistics.ngrams cimport MAX_N, Ngram

from paidia.search.registry import PLAYOUTS


cdef class Nst(Playout):
    """NST.

    Options:
        decay: Factor on all visits after each step of the game; 1 keeps everything.
    """

    needs = ("ngrams",)
    records = True
    options = ("decay",)

    cdef double decay
    cdef double* values

    def __init__(self, *, double decay=0.2):
        if not 0.0 <= decay <= 1.0:
            raise ValueError(f"decay is a factor from 0 to 1, not {decay}")
        self.decay = decay

    def __dealloc__(self):
        free(self.values)

    def begin_game(self, Game game):
        free(self.values)
        self.values = <double*>malloc((game.max_legal + 1) * sizeof(double))
        if self.values == NULL:
            raise MemoryError()

    def begin_turn(self, int step):
        if self.decay < 1.0:
            self.ngrams.decay(self.decay)

    cdef int choose(self, State state, Simulation* sim, int role, const move_t* moves, int n) noexcept nogil:
        cdef double* p = sim.vectors + role * N_PARAMETERS
        cdef uint64_t contexts[MAX_N]
        cdef double best = -INFINITY
        cdef int i, longest, equal = 0
        if rng_double(&sim.rng) < p[P_EPSILON]:
            return rng_below(&sim.rng, n)
        longest = min(self.ngrams.contexts(sim, sim.length, role, contexts), <int>p[P_N])
        for i in range(n):
            self.values[i] = self.value(contexts, longest, moves[i], p[P_NMIN])
            if self.values[i] > best:
                best, equal = self.values[i], 1
            elif self.values[i] == best:
                equal += 1
        equal = rng_below(&sim.rng, equal) if equal > 1 else 0
        for i in range(n):
            if self.values[i] == best:
                if equal == 0:
                    return i
                equal -= 1
        return 0

    cdef inline double value(self, const uint64_t* contexts, int n, move_t move, double least) noexcept nogil:
        """The mean of the averages of the N-grams that end with a move."""
        cdef int i, counted = 0
        cdef double total = 0.0
        cdef const Ngram* ngram
        for i in range(n):
            ngram = self.ngrams.find(contexts[i], move)
            if ngram == NULL or (i > 0 and ngram.visits < least):
                break
            total += ngram.sum / ngram.visits
            counted += 1
        return total / counted if counted > 0 else 1.0


PLAYOUTS.add("nst", Nst)
