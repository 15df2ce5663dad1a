# distutils: extra_compile_args = -O1
"""CMA-ES: the parameters as real numbers, searched by covariance matrix adaptation (the `cma` library).

Every point of a generation controls one simulation of its role. Parameters are scaled to [0, 1]; a point
outside is moved to the border and pays the squared distance. Minimized: 1 - reward + penalty. Start point
random, sigma 0.3, the library's default population; its stop tests on function values are off, since rewards
of single simulations are noise. When another test stops it, the mean of the distribution is used for the rest
of the game.

Hansen, "The CMA evolution strategy: a tutorial" (2016); settings as in Sironi, Liu and Winands,
"Self-adaptive Monte-Carlo Tree Search in general game playing" (2020). Works on ranges; of a list of values
the smallest and the largest finite one are the range. Needs the extra `tune`. A generation is made in Python,
so this tuner costs more than the others. The record counts each value in one of 20 equal intervals of its
range.
"""

from libc.stdlib cimport free

import numpy as np

from paidia.control import CONTROLLERS
from paidia.control.combinations cimport MAX_PARAMETERS
from paidia.control.combinations import Combinations
from paidia.control.settings import ControlSettings, positive
from paidia.control.space import Parameter, Space
from paidia.control.tuner cimport Allocation, Tuner
from paidia.core.machine.memory cimport calloc
from paidia.core.errors import BadInput

cdef enum:
    INTERVALS = 20


class CmaEsSettings(ControlSettings, frozen=True, kw_only=True):
    """The constants of the paper; a population of 0 means the library's default."""

    set: str = "continuous"
    sigma: float = 0.3
    population: int = 0

    def __post_init__(self):
        positive("sigma", self.sigma, at_least=1e-6)
        if self.population != 0:
            positive("population", self.population, at_least=2)


def in_intervals(space):
    """The space of the record: every range in equal intervals, named by their middle."""
    parameters = []
    for p in space.parameters:
        low, high = p.bounds
        if not low < high:
            raise BadInput(f"parameter {p.name} has a single value; cma-es needs a range")
        step = (high - low) / INTERVALS
        parameters.append(Parameter(p.name, tuple(low + (k + 0.5) * step for k in range(INTERVALS))))
    return Space(tuple(parameters))


cdef class Adaptation(Allocation):
    """The distribution of one role."""

    cdef object strategy                    # cma.CMAEvolutionStrategy
    cdef readonly object error              # what went wrong in the library, if anything did
    cdef list asked                         # the points as the library proposed them
    cdef double* points                     # the same inside the box
    cdef double* cost                       # the penalty, then the whole cost of a point
    cdef double point[MAX_PARAMETERS]       # in use
    cdef double low[MAX_PARAMETERS]
    cdef double span[MAX_PARAMETERS]
    cdef int size, place
    cdef bint finished

    def __init__(self, combinations, seed, settings, space):
        Allocation.__init__(self, combinations, seed)
        try:
            import cma
        except ImportError:
            raise BadInput("cma-es needs the library 'cma': pip install 'paidia[tune]'") from None
        random = np.random.default_rng(seed)
        options = {
            "verbose": -9, "seed": np.nan, "randn": lambda *shape: random.standard_normal(shape),
            "tolfun": 0, "tolfunhist": 0, "tolfunrel": 0, "tolflatfitness": np.inf, "tolstagnation": np.inf,
            "maxiter": np.inf, "maxfevals": np.inf,
        }
        if settings.population:
            options["popsize"] = settings.population
        self.strategy = cma.CMAEvolutionStrategy(random.random(self.space.d), settings.sigma, options)
        self.size = self.strategy.popsize
        self.points = <double*>calloc(self.size * self.space.d, sizeof(double))
        self.cost = <double*>calloc(self.size, sizeof(double))
        if not (self.points and self.cost):
            raise MemoryError
        for i, parameter in enumerate(space.parameters):
            self.low[i] = parameter.bounds[0]
            self.span[i] = parameter.bounds[1] - parameter.bounds[0]
        self.ask()

    def __dealloc__(self):
        free(self.points)
        free(self.cost)

    def ask(self):
        """The points of a new generation."""
        self.asked = self.strategy.ask()
        for k, point in enumerate(self.asked):
            inside = np.clip(point, 0, 1)
            self.cost[<int>k] = float(np.sum((point - inside) ** 2))
            for i in range(self.space.d):
                self.points[<int>(k * self.space.d + i)] = inside[i]
        self.place = 0

    def tell(self):
        """End a generation; start the next, or settle on the mean if the library stops."""
        self.strategy.tell(self.asked, [self.cost[i] for i in range(self.size)])
        if self.strategy.stop():
            self.settle()
        else:
            self.ask()

    def settle(self):
        """Use the mean of the distribution from now on."""
        self.finished = True
        for i, x in enumerate(np.clip(self.strategy.mean, 0, 1)):
            self.point[<int>i] = x

    def begin_turn(self, int turn):
        """Report what the library could not do: inside a simulation there is nobody to tell."""
        if self.error is not None:
            raise self.error

    cdef void choose(self) noexcept nogil:
        cdef int i
        if not self.finished:
            if self.place == self.size:
                with gil:
                    try:
                        self.tell()
                    except Exception as error:
                        self.error = error
                        self.finished = True
            if not self.finished:
                for i in range(self.space.d):
                    self.point[i] = self.points[self.place * self.space.d + i]
        for i in range(self.space.d):
            self.genes[i] = min(INTERVALS - 1, <int>(self.point[i] * INTERVALS))

    cdef void update(self, double reward) noexcept nogil:
        if not self.finished:
            self.cost[self.place] += 1 - reward
            self.place += 1

    cdef void write(self, const int* columns, double* vector) noexcept nogil:
        cdef int i
        for i in range(self.space.d):
            vector[columns[i]] = self.low[i] + self.span[i] * self.point[i]

    def best(self):
        """The intervals of the distribution's mean."""
        return [min(INTERVALS - 1, int(x * INTERVALS)) for x in np.clip(self.strategy.mean, 0, 1)]


cdef class CmaEs(Tuner):
    """One distribution per role."""

    Settings = CmaEsSettings

    def number(self, space):
        """Combinations of intervals, for the record."""
        return Combinations(in_intervals(space))

    def allocate(self, seed):
        return Adaptation(self.combinations, seed, self.settings, self.settings.space())


CONTROLLERS.add("cma-es", CmaEs)
