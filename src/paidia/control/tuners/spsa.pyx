"""SPSA, simultaneous perturbation stochastic approximation: two steps aside at a time show which way is up.

Every parameter is a number u in [0, 1], its place in the list of values. In iteration k = 0, 1, ... every parameter gets a
random sign; `samples` simulations with u + c_k * sign, as many with u - c_k * sign, and with their mean rewards

    u <- u + a_k * (reward+ - reward-) / (2 c_k sign),      a_k = a / (A + k + 1)^0.602,    c_k = c / (k + 1)^0.101

kept inside [0, 1]. The gene of u is the nearest one.

Spall 1998; for game programs Kocsis, Szepesvari and Winands 2006 (RSPSA), which Sironi and Winands, "On-line parameter tuning for
Monte-Carlo Tree Search in general game playing", section 2, name. Exponents are Spall's, the other numbers ours
(docs/readings.md#other-tuners). A parameter that another one switches off is unset and keeps its place. Starts at random.
"""

from paidia.control import CONTROLLERS
from paidia.control.combinations cimport MAX_PARAMETERS
from paidia.control.settings import ControlSettings, positive
from paidia.control.tuner cimport Allocation, Tuner
from paidia.core.machine.maths cimport exp, log
from paidia.core.machine.rng cimport rng_below, rng_double


class SpsaSettings(ControlSettings, frozen=True, kw_only=True):
    """Constants of ours."""

    samples: int = 20
    a: float = 0.5
    A: float = 10.0
    c: float = 0.2

    def __post_init__(self):
        positive("samples", self.samples, at_least=1)
        positive("a", self.a)
        positive("A", self.A)
        positive("c", self.c, at_least=1e-6)


cdef class Perturbation(Allocation):
    """The point of one role."""

    cdef double point[MAX_PARAMETERS]
    cdef int sign[MAX_PARAMETERS]
    cdef double a, A, c
    cdef double rewards[2]          # with u + c sign, with u - c sign
    cdef int samples, used, iteration

    def __init__(self, combinations, seed, settings):
        Allocation.__init__(self, combinations, seed)
        cdef int i
        self.samples, self.a, self.A, self.c = settings.samples, settings.a, settings.A, settings.c
        for i in range(self.space.d):
            self.point[i] = rng_double(&self.rng)
        self.turn_signs()

    cdef void turn_signs(self) noexcept nogil:
        cdef int i
        for i in range(self.space.d):
            self.sign[i] = 1 if rng_below(&self.rng, 2) else -1
        self.rewards[0] = self.rewards[1] = 0.0
        self.used = 0

    cdef double gain(self) noexcept nogil:
        return self.a * exp(-0.602 * log(self.A + self.iteration + 1))

    cdef double width(self) noexcept nogil:
        return self.c * exp(-0.101 * log(<double>self.iteration + 1))

    cdef void place(self, double aside) noexcept nogil:
        """The genes of the point, so far aside."""
        cdef int i, low
        for i in range(self.space.d):
            low = self.space.low[i]
            self.genes[i] = low + nearest_gene(self.point[i] + aside * self.sign[i], self.space.size[i] - low)
        for i in range(self.space.d):
            if self.space.low[i] and self.genes[self.space.partner[i]] == 0:
                self.genes[i] = 0

    cdef void choose(self) noexcept nogil:
        if self.used == 2 * self.samples:
            self.step()
        self.place(self.width() if self.used < self.samples else -self.width())

    cdef void update(self, double reward) noexcept nogil:
        self.rewards[self.used // self.samples] += reward
        self.used += 1

    cdef void step(self) noexcept nogil:
        cdef double slope = (self.rewards[0] - self.rewards[1]) / self.samples / (2.0 * self.width())
        cdef int i
        for i in range(self.space.d):
            self.point[i] = min(1.0, max(0.0, self.point[i] + self.gain() * slope * self.sign[i]))
        self.iteration += 1
        self.turn_signs()

    def best(self):
        """Where it stands."""
        kept = self.current()
        self.place(0.0)
        genes = self.current()
        for i, gene in enumerate(kept):
            self.genes[<int>i] = gene
        return genes


cdef inline int nearest_gene(double u, int n) noexcept nogil:
    """Which of n values a place in [0, 1] stands for."""
    return <int>(min(1.0, max(0.0, u)) * (n - 1) + 0.5)


cdef class Spsa(Tuner):
    """One point per role."""

    Settings = SpsaSettings

    def allocate(self, seed):
        return Perturbation(self.combinations, seed, self.settings)


CONTROLLERS.add("spsa", Spsa)
