"""CEM, the cross-entropy method: a probability for every value of every parameter moves to those of the best combinations.

    every round: `population` combinations are drawn, parameter after parameter, and each is used for `samples` simulations
    the `elite` best of them by mean reward give each value its share among them
    probability <- (1 - rate) * probability + rate * share

Rubinstein 1999; used for the parameters of Monte-Carlo tree search by Chaslot, Winands, Szita and van den Herik 2008 (Cross-
entropy for Monte-Carlo tree search), which Sironi and Winands, "On-line parameter tuning for Monte-Carlo Tree Search in general
game playing", section 2, name. Values are a list here, so that each has a probability of its own instead of a normal density;
numbers are ours (docs/readings.md#other-tuners). Where the rule of legality leaves some values of a parameter, these are drawn
from in proportion. Of equally good combinations the one drawn first counts.
"""

from libc.stdlib cimport free
from libc.string cimport memcpy

from paidia.control import CONTROLLERS
from paidia.control.combinations cimport MAX_PARAMETERS, combos_high, combos_low
from paidia.control.settings import ControlSettings, positive, share
from paidia.control.tuner cimport Allocation, Tuner
from paidia.core.errors import BadInput
from paidia.core.machine.memory cimport calloc
from paidia.core.machine.rng cimport rng_double


class CrossEntropySettings(ControlSettings, frozen=True, kw_only=True):
    """Constants of ours."""

    population: int = 40
    elite: int = 8
    samples: int = 5
    rate: float = 0.5

    def __post_init__(self):
        positive("elite", self.elite, at_least=1)
        positive("samples", self.samples, at_least=1)
        share("rate", self.rate)
        if not self.elite < self.population <= 1_000_000:
            raise BadInput(f"population must be larger than elite ({self.elite}), and at most a million")


ctypedef struct Draw:
    double total                    # of its rewards
    bint counted                    # among the elite
    int genes[MAX_PARAMETERS]


cdef class Distribution(Allocation):
    """The probabilities of one role."""

    cdef double* chances            # of value v: [v] in the list of all values
    cdef double* shares
    cdef Draw* draws
    cdef int size, elite, samples, place, used
    cdef double rate

    def __init__(self, combinations, seed, settings):
        Allocation.__init__(self, combinations, seed)
        cdef int i, g
        self.size, self.elite, self.samples, self.rate = (
            settings.population, settings.elite, settings.samples, settings.rate)
        self.chances = <double*>calloc(self.space.n_values, sizeof(double))
        self.shares = <double*>calloc(self.space.n_values, sizeof(double))
        self.draws = <Draw*>calloc(self.size, sizeof(Draw))
        if not (self.chances and self.shares and self.draws):
            raise MemoryError
        for i in range(self.space.d):
            for g in range(self.space.size[i]):
                self.chances[self.space.first[i] + g] = 1.0 / self.space.size[i]
        self.draw_all()

    def __dealloc__(self):
        free(self.chances)
        free(self.shares)
        free(self.draws)

    cdef void draw_all(self) noexcept nogil:
        """The combinations of a new round."""
        cdef int k, i
        cdef int* genes
        for k in range(self.size):
            self.draws[k].total, self.draws[k].counted = 0.0, False
            genes = self.draws[k].genes
            for i in range(self.space.d):
                genes[i] = -1
            for i in range(self.space.d):
                genes[i] = self.drawn(i, combos_low(self.space, i, genes), combos_high(self.space, i, genes))
        self.place = self.used = 0

    cdef int drawn(self, int i, int low, int high) noexcept nogil:
        """A gene of parameter i from low to high - 1, in proportion to the probabilities; any, where all are 0."""
        cdef const double* chances = self.chances + self.space.first[i]
        cdef double total = 0.0, rest
        cdef int g
        for g in range(low, high):
            total += chances[g]
        rest = rng_double(&self.rng)
        if not total > 0.0:
            return low + <int>(rest * (high - low))
        rest *= total
        for g in range(low, high - 1):
            if rest < chances[g]:
                return g
            rest -= chances[g]
        return high - 1

    cdef void choose(self) noexcept nogil:
        if self.place == self.size:
            self.learn()
            self.draw_all()
        memcpy(self.genes, self.draws[self.place].genes, self.space.d * sizeof(int))

    cdef void update(self, double reward) noexcept nogil:
        self.draws[self.place].total += reward
        self.used += 1
        if self.used == self.samples:
            self.place, self.used = self.place + 1, 0

    cdef void learn(self) noexcept nogil:
        cdef int _, k, i, v, best
        for v in range(self.space.n_values):
            self.shares[v] = 0.0
        for _ in range(self.elite):
            best = -1
            for k in range(self.size):
                if not self.draws[k].counted and (best < 0 or self.draws[k].total > self.draws[best].total):
                    best = k
            self.draws[best].counted = True
            for i in range(self.space.d):
                self.shares[self.space.first[i] + self.draws[best].genes[i]] += 1.0 / self.elite
        for v in range(self.space.n_values):
            self.chances[v] = (1.0 - self.rate) * self.chances[v] + self.rate * self.shares[v]

    def best(self):
        """The likeliest value of each parameter, as far as they go together."""
        genes = [-1] * self.space.d
        cdef int now[MAX_PARAMETERS]
        cdef int i, g, low, high
        for i in range(self.space.d):
            now[i] = -1
        for i in range(self.space.d):
            low, high = combos_low(self.space, i, now), combos_high(self.space, i, now)
            now[i] = max(range(low, high), key=lambda g: self.chances[self.space.first[i] + <int>g])
            genes[i] = now[i]
        return genes


cdef class CrossEntropy(Tuner):
    """One distribution per role."""

    Settings = CrossEntropySettings

    def allocate(self, seed):
        return Distribution(self.combinations, seed, self.settings)


CONTROLLERS.add("cem", CrossEntropy)
