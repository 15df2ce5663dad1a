"""NST (N-gram Selection Technique): playouts prefer moves that did well after the moves just played.

With probability epsilon a uniformly random move, else the one with the highest value, ties at random. The value of a
move is the mean of the averages of the N-grams of length 1 .. n that end with it; one longer than 1 counts only with at
least `nmin` visits, and longer ones are skipped once a shorter one is too rare. A move whose 1-gram was never seen has
the value 1.

Tak, Winands and Bjornsson 2012; for video games Soemers 2016, section 4.2.2: a move counts in its place (the avatar's cell),
one without data is worth the highest result so far, and all visits and sums are multiplied by `decay` after each step
(`rounded = false`), so that single moves are kept apart from longer sequences, which are forgotten sooner. Parameters:
epsilon, n, nmin.
"""

from libc.math cimport INFINITY
from libc.stdint cimport uint64_t
from libc.stdlib cimport free

from paidia.core.machine.memory cimport malloc
from paidia.core.model cimport Rules, Situation, move_t
from paidia.core.machine.rng cimport rng_below, rng_double
from paidia.search.frame.choice cimport Best, no_offer, offer
from paidia.search.frame.parameters cimport N_PARAMETERS, P_EPSILON, P_N, P_NMIN
from paidia.search.playout.base cimport Playout
from paidia.search.frame.simulation cimport Simulation
from paidia.search.statistics.ngrams cimport MAX_N, Ngram
from paidia.search.frame.strategy cimport flag

from paidia.search.registry import PLAYOUTS


cdef class Nst(Playout):
    """NST.

    Options:
        decay: Factor on all visits after each step of the game; 1 keeps everything.
        rounded: Visits stay whole numbers and means stay as they are.
        ties: "random" draws once among moves of equal value, "in-turn" each time that one more comes up.
    """

    records = True
    options = ("decay", "rounded", "ties")

    cdef double decay
    cdef bint rounded, in_turn
    cdef double* values

    def __init__(self, *, double decay=0.2, rounded=True, str ties="random"):
        if not 0.0 <= decay <= 1.0:
            raise ValueError(f"decay is a factor from 0 to 1, not {decay}")
        if ties not in ("random", "in-turn"):
            raise ValueError(f"ties are broken 'random' or 'in-turn', not {ties!r}")
        self.decay, self.rounded, self.in_turn = decay, flag("rounded", rounded), ties == "in-turn"

    @property
    def needs(self):
        """N-grams; single moves apart from them where they are forgotten at another pace."""
        return ("ngrams",) if self.rounded else ("long-ngrams", "actions")

    def __dealloc__(self):
        free(self.values)

    def begin_game(self, Rules game not None):
        free(self.values)
        self.values = <double*>malloc((game.max_legal + 1) * sizeof(double))
        if self.values == NULL:
            raise MemoryError()

    def begin_turn(self, int step):
        if self.decay < 1.0 and self.rounded:
            self.ngrams.decay(self.decay)
        elif self.decay < 1.0:
            self.ngrams.fade(self.decay)
            self.actions.fade(self.decay, step)

    cdef int choose(self, Situation state, Simulation* sim, int role, const move_t* moves, int n) noexcept nogil:
        cdef double* p = sim.vectors + role * N_PARAMETERS
        cdef uint64_t contexts[MAX_N]
        cdef double best = -INFINITY
        cdef int i, longest, equal = 0
        cdef Best turn = no_offer(0)
        if rng_double(&sim.rng) < p[P_EPSILON]:
            return rng_below(&sim.rng, n)
        longest = min(self.ngrams.contexts(sim, sim.length, role, contexts), <int>p[P_N])
        for i in range(n):
            self.values[i] = self.value(contexts, longest, role, moves[i], p[P_NMIN], sim)
            if self.in_turn:
                offer(&turn, &sim.rng, self.values[i], i)
            elif self.values[i] > best:
                best, equal = self.values[i], 1
            elif self.values[i] == best:
                equal += 1
        if self.in_turn:
            return turn.chosen
        equal = rng_below(&sim.rng, equal) if equal > 1 else 0
        for i in range(n):
            if self.values[i] == best:
                if equal == 0:
                    return i
                equal -= 1
        return 0

    cdef inline double value(
        self, const uint64_t* contexts, int n, int role, move_t move, double least, const Simulation* sim
    ) noexcept nogil:
        """The mean of the averages of the N-grams that end with a move."""
        cdef int i, counted = 0
        cdef double total = 0.0
        cdef const Ngram* ngram
        cdef move_t key = sim.place * sim.n_moves + move
        if not self.rounded:        # the single move stands in another table
            if self.actions.visits[<Py_ssize_t>role * sim.n_keys + key] > 0:
                total, counted = self.actions.means[<Py_ssize_t>role * sim.n_keys + key], 1
            else:
                n = 0
        for i in range(counted, n):
            ngram = self.ngrams.find(contexts[i], key)
            if ngram == NULL or ngram.visits <= 0.0 or (i > 0 and ngram.visits < least):     # new, and not yet counted
                break
            total += ngram.sum / ngram.visits
            counted += 1
        return total / counted if counted > 0 else (sim.bounds.high if sim.scaled else 1.0)


PLAYOUTS.add("nst", Nst)
