"""MAB: one bandit whose arms are all legal combinations.

    choose the arm with the largest UCB1 value; keep it for `batch` simulations, all credited to it

Sironi and Winands, "On-line parameter tuning for Monte-Carlo Tree Search in general game playing", section
4.2: C 0.7, batch 10, first-play value 1. The structure of the combinations is not used. The choice is exact,
but does not look at every arm (many_arms.pxd).
"""

from paidia.control import CONTROLLERS
from paidia.control.bandit cimport arms_greedy, ucb_scale
from paidia.control.combinations cimport combos_genes
from paidia.control.many_arms cimport (
    ManyArms, many_add_untried, many_best, many_create, many_free, many_update,
)
from paidia.control.settings import ControlSettings, positive
from paidia.control.tuner cimport Allocation, Tuner
from paidia.control.tuner import check_table
from paidia.core.machine.maths cimport prepare_counts


class MabSettings(ControlSettings, frozen=True, kw_only=True):
    """The constants of the paper."""

    C: float = 0.7
    first_play: float = 1.0
    batch: int = 10

    def __post_init__(self):
        positive("batch", self.batch, at_least=1)
        positive("C", self.C)


cdef class OneBandit(Allocation):
    """The bandit of one role."""

    cdef ManyArms arms
    cdef double C
    cdef double scale           # of the last choice
    cdef double updates
    cdef int arm

    def __init__(self, combinations, seed, settings):
        Allocation.__init__(self, combinations, seed)
        self.C = settings.C
        if not many_create(&self.arms, self.space.count):
            raise MemoryError
        many_add_untried(&self.arms, self.space.count, settings.first_play)

    def __dealloc__(self):
        many_free(&self.arms)

    cdef void choose(self) noexcept nogil:
        self.scale = ucb_scale(self.C, self.updates)
        self.arm = many_best(&self.arms, self.scale, &self.rng)
        combos_genes(self.space, self.arm, self.genes)

    cdef void update(self, double reward) noexcept nogil:
        self.updates += 1
        many_update(&self.arms, self.arm, reward, self.scale)

    def best(self):
        """The combination with the highest mean reward."""
        index = arms_greedy(self.arms.arms, 0, self.arms.n)
        return None if index < 0 else self.combinations.genes(index)


cdef class Mab(Tuner):
    """One flat bandit per role."""

    Settings = MabSettings

    def __init__(self, settings):
        Tuner.__init__(self, settings)
        check_table(self.combinations)
        self.batch = settings.batch

    def allocate(self, seed):
        return OneBandit(self.combinations, seed, self.settings)


prepare_counts()
CONTROLLERS.add("mab", Mab)
