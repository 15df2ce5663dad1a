"""NMC, naive Monte-Carlo: a local bandit per parameter proposes, one global bandit over combinations decides.

    with probability epsilon0 (explore): every parameter by UCB1 from its local bandit, feasible values only
    otherwise (exploit):                 UCB1 over the combinations that have been used so far
    update: the combination's arm in the global bandit, and every value's arm in the local ones

Ontanon, "Combinatorial multi-armed bandits for real-time strategy games" (2017), with UCB1 as all three
policies; as in Sironi and Winands, "On-line parameter tuning for Monte-Carlo Tree Search in general game
playing", section 4.2: epsilon0 0.75, C 0.7 local and global, first-play value 1, parameters in an order drawn
for each game. "Naive": a combination's reward is taken for a sum of its values' rewards, which is used to
propose and not to decide. LocalNMC is epsilon0 = 1. Equal global arms are counted in the order in which the
combinations were first used.
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport free

from paidia.control import CONTROLLERS
from paidia.control.bandit cimport Arm, Roots, arm_update, arms_best, arms_greedy, arms_reset, root_of_log
from paidia.control.combinations cimport (
    MAX_PARAMETERS, combos_genes, combos_high, combos_index, combos_low, shuffle,
)
from paidia.control.many_arms cimport ManyArms, many_best, many_create, many_free, many_update
from paidia.control.settings import ControlSettings, positive, share
from paidia.control.tuner cimport Allocation, Tuner
from paidia.control.tuner import check_table
from paidia.core.machine.maths cimport prepare_counts
from paidia.core.machine.memory cimport malloc
from paidia.core.machine.rng cimport rng_double


class NaiveSettings(ControlSettings, frozen=True, kw_only=True):
    """The constants of the paper; later set-ups of its authors use 1.0 for both C (docs/readings.md#nmc)."""

    epsilon0: float = 0.75
    C_local: float = 0.7
    C_global: float = 0.7
    first_play: float = 1.0

    def __post_init__(self):
        share("epsilon0", self.epsilon0)
        positive("C_local", self.C_local)
        positive("C_global", self.C_global)


class LocalNaiveSettings(NaiveSettings, frozen=True, kw_only=True):
    """Exploration only: the local bandits alone choose."""

    epsilon0: float = 1.0


cdef class NaiveMonteCarlo(Allocation):
    """The bandits of one role."""

    cdef ManyArms combos                    # the global bandit; arms in the order in which they came up
    cdef int32_t* arm_of                    # combination -> arm, or -1
    cdef int32_t* combo_of                  # arm -> combination
    cdef Arm* local                         # the local bandits, one after the other
    cdef int order[MAX_PARAMETERS]
    cdef double epsilon0, C_local, C_global
    cdef double updates
    cdef Roots roots
    cdef double scale                       # of the last global choice

    def __init__(self, combinations, seed, settings):
        Allocation.__init__(self, combinations, seed)
        cdef int i
        cdef Py_ssize_t n = self.space.count
        self.epsilon0 = settings.epsilon0
        self.C_local = settings.C_local
        self.C_global = settings.C_global
        self.arm_of = <int32_t*>malloc(n * sizeof(int32_t))
        self.combo_of = <int32_t*>malloc(n * sizeof(int32_t))
        self.local = <Arm*>malloc(self.space.n_values * sizeof(Arm))
        if not many_create(&self.combos, n) or not (self.arm_of and self.combo_of and self.local):
            raise MemoryError
        for i in range(n):
            self.arm_of[i] = -1
        arms_reset(self.local, self.space.n_values, settings.first_play)
        for i in range(self.space.d):
            self.order[i] = i
        shuffle(self.order, self.space.d, &self.rng)

    def __dealloc__(self):
        many_free(&self.combos)
        free(self.arm_of)
        free(self.combo_of)
        free(self.local)

    cdef void choose(self) noexcept nogil:
        cdef int arm
        if self.combos.n == 0 or rng_double(&self.rng) < self.epsilon0:
            self.explore()
        else:
            self.scale = self.C_global * root_of_log(&self.roots, self.updates)
            arm = many_best(&self.combos, self.scale, &self.rng)
            combos_genes(self.space, self.combo_of[arm], self.genes)

    cdef void explore(self) noexcept nogil:
        cdef double scale = self.C_local * root_of_log(&self.roots, self.updates)
        cdef int level, i
        for i in range(self.space.d):
            self.genes[i] = -1
        for level in range(self.space.d):
            i = self.order[level]
            self.genes[i] = arms_best(
                self.local + self.space.first[i], combos_low(self.space, i, self.genes),
                combos_high(self.space, i, self.genes), scale, &self.rng)

    cdef void update(self, double reward) noexcept nogil:
        cdef int combo = combos_index(self.space, self.genes)
        cdef int i
        self.updates += 1
        if self.arm_of[combo] < 0:
            self.arm_of[combo] = self.combos.n
            self.combo_of[self.combos.n] = combo
        many_update(&self.combos, self.arm_of[combo], reward, self.scale)
        for i in range(self.space.d):
            arm_update(self.local + self.space.first[i] + self.genes[i], reward)

    def best(self):
        """The combination with the highest mean reward in the global bandit."""
        arm = arms_greedy(self.combos.arms, 0, self.combos.n)
        return None if arm < 0 else self.combinations.genes(self.combo_of[arm])


cdef class Nmc(Tuner):
    """Naive Monte-Carlo for each role."""

    Settings = NaiveSettings

    def __init__(self, settings):
        Tuner.__init__(self, settings)
        check_table(self.combinations)

    def allocate(self, seed):
        return NaiveMonteCarlo(self.combinations, seed, self.settings)


cdef class LocalNmc(Nmc):
    """Naive Monte-Carlo that always explores."""

    Settings = LocalNaiveSettings


prepare_counts()
CONTROLLERS.add("nmc", Nmc)
CONTROLLERS.add("local-nmc", LocalNmc)
