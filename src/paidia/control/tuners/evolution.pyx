"""EA: a population of combinations; each controls one simulation, the better half lives on and has children.

    every generation: each of the `population` individuals is used once, in random order
    fitness = mean of all rewards of an individual; the `elite` best stay
    each other place gets, with probability `crossover`, the uniform crossover of two random elites,
    otherwise a random elite with one random parameter set to a random value

Sironi, Liu, Perez-Liebana, Gaina, Bravi, Lucas and Winands, "Self-adaptive MCTS for general video game
playing", section 3.2: 50 individuals, 25 elites, crossover 0.5. Elites are evaluated again with their rewards
kept. A crossover that breaks the legality rule takes the gene of the other parent, then a random feasible
one; a mutation draws the partner anew.
"""

from libc.stdlib cimport free

from paidia.control import CONTROLLERS
from paidia.control.bandit cimport Arm, arm_update, arms_greedy, arms_reset, arms_sort
from paidia.control.combinations cimport (
    MAX_PARAMETERS, combos_cross, combos_draw, combos_mutate, shuffle,
)
from paidia.control.settings import ControlSettings, positive, share
from paidia.control.tuner cimport Allocation, Tuner
from paidia.core.errors import BadInput
from paidia.core.machine.maths cimport prepare_counts
from paidia.core.machine.memory cimport calloc
from paidia.core.machine.rng cimport rng_below, rng_double


class EvolutionSettings(ControlSettings, frozen=True, kw_only=True):
    """The constants of the paper."""

    population: int = 50
    elite: int = 25
    crossover: float = 0.5

    def __post_init__(self):
        positive("elite", self.elite, at_least=1)
        share("crossover", self.crossover)
        if not self.elite < self.population <= 1_000_000:
            raise BadInput(f"population must be larger than elite ({self.elite}), and at most a million")


ctypedef struct Individual:
    int genes[MAX_PARAMETERS]


cdef class Population(Allocation):
    """The individuals of one role."""

    cdef Individual* individuals
    cdef Arm* fitness
    cdef int* order                 # of evaluation; after sorting, of fitness
    cdef int* scratch
    cdef int size, elite
    cdef int place                  # in `order`, of the individual in use
    cdef double crossover

    def __init__(self, combinations, seed, settings):
        Allocation.__init__(self, combinations, seed)
        cdef int k
        self.size = settings.population
        self.elite = settings.elite
        self.crossover = settings.crossover
        self.individuals = <Individual*>calloc(self.size, sizeof(Individual))
        self.fitness = <Arm*>calloc(self.size, sizeof(Arm))
        self.order = <int*>calloc(self.size, sizeof(int))
        self.scratch = <int*>calloc(self.size, sizeof(int))
        if not (self.individuals and self.fitness and self.order and self.scratch):
            raise MemoryError
        arms_reset(self.fitness, self.size, 0)
        for k in range(self.size):
            combos_draw(self.space, &self.rng, self.individuals[k].genes)
            self.order[k] = k
        shuffle(self.order, self.size, &self.rng)
        self.place = 0

    def __dealloc__(self):
        free(self.individuals)
        free(self.fitness)
        free(self.order)
        free(self.scratch)

    cdef void choose(self) noexcept nogil:
        cdef int i
        cdef Individual* chosen
        if self.place == self.size:
            self.evolve()
        chosen = &self.individuals[self.order[self.place]]
        for i in range(self.space.d):
            self.genes[i] = chosen.genes[i]

    cdef void update(self, double reward) noexcept nogil:
        arm_update(&self.fitness[self.order[self.place]], reward)
        self.place += 1

    cdef void evolve(self) noexcept nogil:
        cdef int k, a, b
        arms_sort(self.order, self.size, self.fitness, self.scratch)
        for k in range(self.elite, self.size):
            if rng_double(&self.rng) < self.crossover:
                a = self.order[rng_below(&self.rng, self.elite)]
                b = self.order[rng_below(&self.rng, self.elite)]
                combos_cross(
                    self.space, self.individuals[a].genes, self.individuals[b].genes, &self.rng,
                    self.individuals[self.order[k]].genes)
            else:
                a = self.order[rng_below(&self.rng, self.elite)]
                self.individuals[self.order[k]] = self.individuals[a]
                combos_mutate(self.space, &self.rng, self.individuals[self.order[k]].genes)
            arms_reset(&self.fitness[self.order[k]], 1, 0)
        shuffle(self.order, self.size, &self.rng)
        self.place = 0

    def best(self):
        """The individual with the highest fitness."""
        k = arms_greedy(self.fitness, 0, self.size)
        return None if k < 0 else [self.individuals[k].genes[i] for i in range(self.space.d)]


cdef class Evolution(Tuner):
    """One population per role."""

    Settings = EvolutionSettings

    def allocate(self, seed):
        return Population(self.combinations, seed, self.settings)


prepare_counts()
CONTROLLERS.add("ea", Evolution)
