"""Evolving value sets: the values that a parameter may take change towards those that do well.

Every parameter has `size` values in its range, at first evenly spaced, each an arm of a UCB1 bandit of its own (as the local
bandits of Naive Monte-Carlo); a simulation uses the best arm of every parameter. After every `generation` simulations, in each
parameter the value with the lowest mean reward gives way to a child of the one with the highest and another one: their midpoint,
moved by up to `width` of the range, with nothing known of it.

Future work of Sironi and Winands, "On-line parameter tuning for Monte-Carlo Tree Search in general game playing", section 6,
which leaves the algorithm open: this one is ours (docs/readings.md#other-tuners). Works on ranges; of a list of values the
smallest and the largest finite one are the range. The record counts each value in one of 20 equal intervals of its range.
"""

from libc.stdlib cimport free

from paidia.control import CONTROLLERS
from paidia.control.bandit cimport Arm, arm_update, arms_best, arms_greedy, arms_reset, ucb_scale
from paidia.control.tuners.cmaes import in_intervals
from paidia.control.combinations import Combinations
from paidia.control.settings import ControlSettings, positive, share
from paidia.control.tuner cimport Allocation, Tuner
from paidia.core.machine.maths cimport prepare_counts
from paidia.core.machine.memory cimport calloc
from paidia.core.machine.rng cimport rng_below, rng_double


class ValueEvolutionSettings(ControlSettings, frozen=True, kw_only=True):
    """Constants of ours."""

    set: str = "continuous"
    size: int = 8
    generation: int = 500
    width: float = 0.1
    C: float = 0.7
    first_play: float = 1.0

    def __post_init__(self):
        positive("size", self.size, at_least=3)
        positive("generation", self.generation, at_least=1)
        positive("C", self.C)
        share("width", self.width)


cdef class Values(Allocation):
    """The values of one role; parameters are scaled to [0, 1]."""

    cdef double* places             # of the k-th value of parameter i: [i * size + k]
    cdef Arm* arms
    cdef double* low
    cdef double* span
    cdef int* used                  # the arm of each parameter in use
    cdef int size
    cdef double generation, next_one, width, C, first_play, updates

    def __init__(self, combinations, seed, settings, space):
        Allocation.__init__(self, combinations, seed)
        cdef int i, k, d = self.space.d
        self.size, self.generation, self.width = settings.size, settings.generation, settings.width
        self.next_one = self.generation
        self.C, self.first_play = settings.C, settings.first_play
        self.places = <double*>calloc(d * self.size, sizeof(double))
        self.arms = <Arm*>calloc(d * self.size, sizeof(Arm))
        self.low = <double*>calloc(d, sizeof(double))
        self.span = <double*>calloc(d, sizeof(double))
        self.used = <int*>calloc(d, sizeof(int))
        if not (self.places and self.arms and self.low and self.span and self.used):
            raise MemoryError
        arms_reset(self.arms, d * self.size, self.first_play)
        for i, parameter in enumerate(space.parameters):
            self.low[i], self.span[i] = parameter.bounds[0], parameter.bounds[1] - parameter.bounds[0]
            for k in range(self.size):
                self.places[i * self.size + k] = <double>k / (self.size - 1)

    def __dealloc__(self):
        free(self.places)
        free(self.arms)
        free(self.low)
        free(self.span)
        free(self.used)

    cdef void choose(self) noexcept nogil:
        cdef double scale = ucb_scale(self.C, self.updates)
        cdef int i
        for i in range(self.space.d):
            self.used[i] = arms_best(self.arms + i * self.size, 0, self.size, scale, &self.rng)
            self.genes[i] = min(self.space.size[i] - 1, <int>(self.places[i * self.size + self.used[i]] * self.space.size[i]))

    cdef void update(self, double reward) noexcept nogil:
        cdef int i
        self.updates += 1
        for i in range(self.space.d):
            arm_update(&self.arms[i * self.size + self.used[i]], reward)
        if self.updates >= self.next_one:
            for i in range(self.space.d):
                self.evolve(self.arms + i * self.size, self.places + i * self.size)
            self.next_one += self.generation

    cdef void evolve(self, Arm* arms, double* places) noexcept nogil:
        """The worst value of a parameter gives way; of equals the first is the best, and the worst."""
        cdef int k, best = 0, worst = -1, other
        cdef double child
        for k in range(1, self.size):
            if arms[k].mean > arms[best].mean:
                best = k
        for k in range(self.size):
            if k != best and (worst < 0 or arms[k].mean < arms[worst].mean):
                worst = k
        other = rng_below(&self.rng, self.size - 2)         # any but these two
        for k in range(self.size):
            if k != best and k != worst:
                if other == 0:
                    child = (places[best] + places[k]) / 2 + self.width * (2 * rng_double(&self.rng) - 1)
                    places[worst] = min(1.0, max(0.0, child))
                    arms_reset(&arms[worst], 1, self.first_play)
                    return
                other -= 1

    cdef void write(self, const int* columns, double* vector) noexcept nogil:
        cdef int i
        for i in range(self.space.d):
            vector[columns[i]] = self.low[i] + self.span[i] * self.places[i * self.size + self.used[i]]

    def values(self):
        """The present values of each parameter, in ascending order."""
        d, n = self.space.d, self.size
        return [sorted(self.low[i] + self.span[i] * self.places[i * n + k] for k in range(n)) for i in range(d)]

    def best(self):
        """The intervals of the values with the highest means."""
        cdef Py_ssize_t i, k
        genes = []
        for i in range(self.space.d):
            k = arms_greedy(self.arms, i * self.size, (i + 1) * self.size)
            if k < 0:
                return None
            genes.append(min(self.space.size[i] - 1, <int>(self.places[k] * self.space.size[i])))
        return genes


cdef class ValueEvolution(Tuner):
    """One set of values per role and parameter."""

    Settings = ValueEvolutionSettings

    def number(self, space):
        """Combinations of intervals, for the record."""
        return Combinations(in_intervals(space))

    def allocate(self, seed):
        return Values(self.combinations, seed, self.settings, self.settings.space())


prepare_counts()
CONTROLLERS.add("value-evolution", ValueEvolution)
