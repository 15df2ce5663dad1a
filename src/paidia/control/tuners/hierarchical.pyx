"""HE, hierarchical expansion: a tree with one level per parameter, and a bandit in every node.

    choose: from the root down, take the feasible value of the level's parameter that UCB1 prefers
    update: add the reward to the arm taken in every node of that path

Roelofs, "Pitfalls and solutions when using Monte Carlo Tree Search for strategy and tactical games" (2017);
as in Sironi and Winands, "On-line parameter tuning for Monte-Carlo Tree Search in general game playing",
section 4.2: C 0.7, first-play value 1, order of the parameters drawn anew for each game. What is known of a
value depends on the values above it.
"""

from libc.stdint cimport int64_t
from libc.stdlib cimport free

from paidia.control import CONTROLLERS
from paidia.control.bandit cimport Arm, Roots, arm_update, arms_best, arms_greedy, arms_reset, root_of_log
from paidia.control.combinations cimport MAX_PARAMETERS, combos_high, combos_low, shuffle
from paidia.control.settings import ControlSettings, positive
from paidia.control.tuner cimport Allocation, Tuner
from paidia.control.tuner import check_table
from paidia.core.machine.maths cimport prepare_counts, root_log_count
from paidia.core.machine.memory cimport calloc


class HierarchicalSettings(ControlSettings, frozen=True, kw_only=True):
    """The constants of the paper."""

    C: float = 0.7
    first_play: float = 1.0

    def __post_init__(self):
        positive("C", self.C)


cdef class ValueTree(Allocation):
    """The tree of one role, as one array: a level's nodes in order of their prefixes."""

    cdef Arm* arms
    cdef Arm* taken[MAX_PARAMETERS]             # the arms of the present combination
    cdef int order[MAX_PARAMETERS]              # the parameter of each level
    cdef int64_t start[MAX_PARAMETERS]          # where a level starts in `arms`
    cdef double C
    cdef Roots roots                            # for the root, whose updates are counted one by one
    cdef double updates                         # of the root; a lower node's are those of the arm above it

    def __init__(self, combinations, seed, settings):
        Allocation.__init__(self, combinations, seed)
        cdef int64_t total = 0, prefixes = 1
        cdef int level, d = self.space.d
        self.C = settings.C
        for level in range(d):
            self.order[level] = level
        shuffle(self.order, d, &self.rng)
        for level in range(d):
            self.start[level] = total
            prefixes *= self.space.size[self.order[level]]
            total += prefixes
        self.arms = <Arm*>calloc(total, sizeof(Arm))
        if self.arms == NULL:
            raise MemoryError
        arms_reset(self.arms, total, settings.first_play)

    def __dealloc__(self):
        free(self.arms)

    cdef void choose(self) noexcept nogil:
        cdef int level, i, gene
        cdef int64_t prefix = 0
        cdef double updates = self.updates
        cdef Arm* node
        for i in range(self.space.d):
            self.genes[i] = -1
        for level in range(self.space.d):
            i = self.order[level]
            node = self.arms + self.start[level] + prefix * self.space.size[i]
            gene = arms_best(
                node, combos_low(self.space, i, self.genes), combos_high(self.space, i, self.genes),
                self.C * (root_log_count(<int>updates) if level else root_of_log(&self.roots, updates)), &self.rng)
            self.genes[i] = gene
            self.taken[level] = node + gene
            updates = node[gene].n
            prefix = prefix * self.space.size[i] + gene

    cdef void update(self, double reward) noexcept nogil:
        cdef int level
        self.updates += 1
        for level in range(self.space.d):
            arm_update(self.taken[level], reward)

    def best(self):
        """From the root the value with the highest mean reward in each node."""
        cdef int64_t prefix = 0
        genes = [0] * self.space.d
        for level in range(self.space.d):
            i = self.order[level]
            start = self.start[level] + prefix * self.space.size[i]
            arm = arms_greedy(self.arms, start, start + self.space.size[i])
            if arm < 0:
                return None
            genes[i] = arm - start
            prefix = prefix * self.space.size[i] + genes[i]
        return genes


cdef class HierarchicalExpansion(Tuner):
    """One tree per role."""

    Settings = HierarchicalSettings

    def __init__(self, settings):
        Tuner.__init__(self, settings)
        check_table(self.combinations)

    def allocate(self, seed):
        return ValueTree(self.combinations, seed, self.settings)


prepare_counts()
CONTROLLERS.add("he", HierarchicalExpansion)
