"""What a position is worth, learned while playing: a linear function of the facts that hold in it.

    value(role) = 1 / (1 + exp(-(w0 + sum of w[fact] over the facts that hold)))

With it a playout need not reach the end of the game: the parameter D says after how many moves below the tree it is cut, and what
stands there is valued (early playout termination; Lorentz 2016). Where the weights come from: the first `first` simulations of
a game, and every `whole`-th one after them, go on to the end from the place where they would have been cut. That position and
up to 15 later ones, 1 to 12 moves apart, were worth what came of it, to each role; the weights follow by logistic regression with
steps that shrink for a fact the more it has erred:

    step(fact) = rate * error / ( sqrt(facts that hold + 1) * sqrt(1 + sum of the squares of its errors) )      AdaGrad

(Duchi, Hazan and Singer 2011). It pays where random games are long, and so say little of the moves they began with.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free
from libc.string cimport memset

from paidia.core.machine.maths cimport exp
from paidia.core.machine.rng cimport rng_below
from paidia.core.machine.memory cimport calloc, malloc
from paidia.core.model cimport Rules, Situation
from paidia.search.evaluation.base cimport Evaluation, score_of
from paidia.search.frame.simulation cimport Simulation

from paidia.search.registry import EVALUATIONS


cdef enum:
    NOTES = 16              # positions of a simulation that are learned from, at most
    APART = 12              # moves between two of them, at most
    MAX_INT = 2147483647

cdef double LATE = 0.002     # weight of the last result in the averages that are told

ctypedef struct Weight:
    double value
    double moved            # sum of the squares of its errors


cdef class Learned(Evaluation):
    """A linear function of facts, learned from simulations that are played to the end.

    Args:
        first: So many simulations of a game all go on to the end.
        whole: After them every so many does.
        rate: How far an error moves the weights.
    """

    options = ("first", "whole", "rate")

    cdef Weight* weights    # by role: one that always counts, then one for each fact
    cdef int32_t* facts     # of the position that is looked at
    cdef int32_t* noted     # of positions of the present simulation, which are learned from when it is over
    cdef int n_noted
    cdef int lengths[NOTES]     # facts of each of them
    cdef int n_roles, n_facts
    cdef int first, whole
    cdef double rate
    cdef int64_t asked, learned
    cdef double error, spread, usual    # of late, for the first role: squared errors, those of the mean, the mean

    def __init__(self, *, int first=5000, int whole=8, double rate=0.1):
        if first < 1 or whole < 1 or not 0 < rate <= 100:
            raise ValueError("first and whole are 1 or more, rate is above 0")
        self.first, self.whole, self.rate = first, whole, rate
        self.bounded = self.learns = True

    def __dealloc__(self):
        free(self.weights)
        free(self.facts)
        free(self.noted)

    def cannot_play(self, Rules game):
        """Facts and goals."""
        if not game.bounded:
            return f"learned learns from goals, and {game.id} has scores"
        return "" if game.n_atoms else f"learned needs facts, and {game.id} tells none"

    def begin_game(self, Rules game):
        if self.weights == NULL:
            self.n_roles, self.n_facts = game.n_roles, game.n_atoms
            self.weights = <Weight*>calloc(<size_t>game.n_roles * (game.n_atoms + 1), sizeof(Weight))
            self.facts = <int32_t*>malloc((game.n_atoms + 1) * sizeof(int32_t))
            self.noted = <int32_t*>malloc(NOTES * (<size_t>game.n_atoms + 1) * sizeof(int32_t))
            if self.weights == NULL or self.facts == NULL or self.noted == NULL:
                raise MemoryError
        memset(self.weights, 0, <size_t>self.n_roles * (self.n_facts + 1) * sizeof(Weight))
        self.asked = self.learned = 0
        self.error = self.spread = 0.0
        self.usual = 0.5
        self.n_noted = 0

    def notes(self):
        """How much was learned, and the share of the results' variance that it explains."""
        explained = 1.0 - self.error / self.spread if self.spread > 0 else 0.0
        return {"learned": self.learned, "explained": round(explained, 3)}

    def worth(self, Situation state not None, int role):
        """What a state is worth to a role, in [0, 1]."""
        if self.weights == NULL or state.game.n_atoms != self.n_facts or not 0 <= role < self.n_roles:
            raise ValueError("a state and a role of the game that it was made for")
        return self.value(state, role)

    def teach(self, Situation state not None, results):
        """Learn what came of a state, for each role."""
        cdef int role, n
        if self.weights == NULL or state.game.n_atoms != self.n_facts or len(results) != self.n_roles:
            raise ValueError("a state of the game that it was made for, and a result for each role")
        n = state.c_atoms(self.facts)
        for role in range(self.n_roles):
            self.correct(role, self.facts, n, results[role], role == 0)
        self.learned += 1

    cdef inline double predict(self, int role, const int32_t* facts, int n) noexcept nogil:
        cdef const Weight* own = self.weights + <int64_t>role * (self.n_facts + 1)
        cdef double total = own[0].value
        cdef int i
        for i in range(n):
            total += own[1 + facts[i]].value
        return 1.0 / (1.0 + exp(-total))

    cdef double value(self, Situation state, int role) noexcept nogil:
        if state.c_terminal():
            return score_of(state, role)
        self.n_noted = 0            # it did not come to an end: there is nothing to be learned
        return self.predict(role, self.facts, state.c_atoms(self.facts))

    cdef bint goes_on(self, Situation state, Simulation* sim) noexcept nogil:
        cdef int32_t* at
        if self.n_noted == 0:
            self.asked += 1
            if self.asked > self.first and self.asked % self.whole:
                return False
        elif self.n_noted == NOTES:
            sim.limit = MAX_INT
            return True
        at = self.noted + <int64_t>self.n_noted * self.n_facts
        self.lengths[self.n_noted] = state.c_atoms(at)
        self.n_noted += 1
        sim.limit = sim.length + 1 + <int>rng_below(&sim.rng, APART)
        return True

    cdef void after_simulation(self, Situation root, Simulation* sim) noexcept nogil:
        cdef int role, i
        if self.n_noted == 0:
            return
        self.learned += self.n_noted
        for role in range(self.n_roles):
            for i in range(self.n_noted):
                self.correct(
                    role, self.noted + <int64_t>i * self.n_facts, self.lengths[i], sim.results[role], i == 0 and role == 0)
        self.n_noted = 0

    cdef void correct(self, int role, const int32_t* facts, int n, double result, bint judged) noexcept nogil:
        cdef Weight* own = self.weights + <int64_t>role * (self.n_facts + 1)
        cdef double error = result - self.predict(role, facts, n), step = self.rate / sqrt(n + 1.0)
        cdef int i
        if judged:
            self.error += LATE * (error * error - self.error)
            self.spread += LATE * ((result - self.usual) * (result - self.usual) - self.spread)
            self.usual += LATE * (result - self.usual)
        move(own, error, step)
        for i in range(n):
            move(own + 1 + facts[i], error, step)


cdef inline void move(Weight* weight, double error, double step) noexcept nogil:
    weight.moved += error * error
    weight.value += step * error / sqrt(1.0 + weight.moved)


EVALUATIONS.add("learned", Learned)
