"""GA, a plain genetic algorithm: generations of combinations, each used for some simulations.

    every generation: each of the `population` individuals is used for `samples` simulations; fitness is its mean reward
    the best individual lives on; each other place gets the child of two parents, each the fitter of two drawn ones:
    their uniform crossover with probability `crossover`, else a copy of the first; then every gene is drawn anew with
    probability 1 / d

Named as a way to tune off-line in Sironi and Winands, "On-line parameter tuning for Monte-Carlo Tree Search in general game
playing", section 2; numbers and operators are ours (docs/readings.md#other-tuners). The best one is evaluated again. In a
tournament of equals the one drawn first wins, of equally fit individuals the first is the best.
"""

from libc.stdlib cimport free
from libc.string cimport memcpy

from paidia.control import CONTROLLERS
from paidia.control.combinations cimport MAX_PARAMETERS, combos_cross, combos_draw, combos_set
from paidia.control.settings import ControlSettings, positive, share
from paidia.control.tuner cimport Allocation, Tuner
from paidia.core.machine.memory cimport calloc
from paidia.core.machine.rng cimport rng_below, rng_double


class GeneticSettings(ControlSettings, frozen=True, kw_only=True):
    """Constants of ours."""

    population: int = 20
    crossover: float = 0.9
    samples: int = 5

    def __post_init__(self):
        positive("population", self.population, at_least=2)
        positive("samples", self.samples, at_least=1)
        share("crossover", self.crossover)


ctypedef struct Individual:
    double total                    # of its rewards in this generation
    int genes[MAX_PARAMETERS]


cdef class Generation(Allocation):
    """The individuals of one role."""

    cdef Individual* people
    cdef Individual* children
    cdef int size, samples
    cdef int place, used            # the individual in use, and for how many simulations it was
    cdef double crossover
    cdef bint evolved               # a generation has been evaluated
    cdef int[MAX_PARAMETERS] champion

    def __init__(self, combinations, seed, settings):
        Allocation.__init__(self, combinations, seed)
        cdef int k
        self.size, self.samples, self.crossover = settings.population, settings.samples, settings.crossover
        self.people = <Individual*>calloc(self.size, sizeof(Individual))
        self.children = <Individual*>calloc(self.size, sizeof(Individual))
        if not (self.people and self.children):
            raise MemoryError
        for k in range(self.size):
            combos_draw(self.space, &self.rng, self.people[k].genes)

    def __dealloc__(self):
        free(self.people)
        free(self.children)

    cdef void choose(self) noexcept nogil:
        if self.place == self.size:
            self.evolve()
        memcpy(self.genes, self.people[self.place].genes, self.space.d * sizeof(int))

    cdef void update(self, double reward) noexcept nogil:
        self.people[self.place].total += reward
        self.used += 1
        if self.used == self.samples:
            self.place, self.used = self.place + 1, 0

    cdef int fitter(self) noexcept nogil:
        """The winner of a tournament of two."""
        cdef int a = rng_below(&self.rng, self.size), b = rng_below(&self.rng, self.size)
        return b if self.people[b].total > self.people[a].total else a

    cdef void evolve(self) noexcept nogil:
        cdef int k, i, a, b, best = 0
        cdef Individual* swap
        for k in range(1, self.size):
            if self.people[k].total > self.people[best].total:
                best = k
        self.evolved = True
        memcpy(self.champion, self.people[best].genes, self.space.d * sizeof(int))
        self.children[0] = self.people[best]
        for k in range(1, self.size):
            a, b = self.fitter(), self.fitter()
            if rng_double(&self.rng) < self.crossover:
                combos_cross(self.space, self.people[a].genes, self.people[b].genes, &self.rng, self.children[k].genes)
            else:
                self.children[k] = self.people[a]
            for i in range(self.space.d):
                if rng_below(&self.rng, self.space.d) == 0:
                    combos_set(self.space, i, rng_below(&self.rng, self.space.size[i]), &self.rng, self.children[k].genes)
        for k in range(self.size):
            self.children[k].total = 0.0
        swap = self.people
        self.people, self.children = self.children, swap
        self.place = 0

    def best(self):
        """The best individual of the last generation."""
        return [self.champion[i] for i in range(self.space.d)] if self.evolved else None


cdef class Genetic(Tuner):
    """One population per role."""

    Settings = GeneticSettings

    def allocate(self, seed):
        return Generation(self.combinations, seed, self.settings)


CONTROLLERS.add("ga", Genetic)
