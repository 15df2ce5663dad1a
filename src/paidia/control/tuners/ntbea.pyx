"""NTBEA, n-tuple bandit evolutionary algorithm: a combination that moves to the neighbour its model prefers.

    use p; for every tuple of parameters, update the arm that p's values select in the tuple's bandit
    draw `neighbours` mutations of p, and go to the one with the highest value (p itself is no candidate):

    value = mean over the tuples of ( mean + C * sqrt(ln N / n) )    N = updates so far, n = those of the arm

Lucas, Liu and Perez-Liebana, "The N-tuple bandit evolutionary algorithm for game agent optimisation" (2018).
In GGP (Sironi and Winands, "Analysis of the impact of randomization of search-control parameters in MCTS",
section 3.2): 5 neighbours, C 0.2, 1-tuples and the full tuple. In video games ("Self-adaptive MCTS"): the
same with C 0.7. The published forms differ for a tuple whose arm was never used:

    unseen = "skip"     it is left out of the mean; a neighbour with no known tuple has the value 0 (GGP)
    unseen = "half"     it counts as 0.5 (older GGP version)
    unseen = "lucas"    mean over the known tuples of their means
                        + C * mean over all tuples of sqrt(ln(1 + N) / (n + 0.5)) + noise below 1e-6

Of equal neighbours the first drawn is taken. A mutation may return p itself, as in the authors' GGP program
(docs/readings.md#ntbea).
"""

cimport cython
from itertools import combinations as subsets
from libc.math cimport fabs, sqrt
from libc.stdint cimport int64_t
from libc.stdlib cimport free
from libc.string cimport memcpy
from typing import Literal

from paidia.control import CONTROLLERS
from paidia.control.bandit cimport Arm, Roots, arm_update, arms_greedy, arms_reset, root_of_log
from paidia.control.combinations cimport MAX_PARAMETERS, combos_draw, combos_mutate
from paidia.control.settings import ControlSettings, positive
from paidia.control.tuner cimport Allocation, Tuner
from paidia.control.tuner import MAX_TABLE, check_table
from paidia.core.errors import BadInput
from paidia.core.machine.maths cimport prepare_counts
from paidia.core.machine.memory cimport calloc
from paidia.core.machine.rng cimport rng_double


class NtbeaSettings(ControlSettings, frozen=True, kw_only=True):
    """The constants of the GGP papers.

    Attributes:
        neighbours: Candidates for the next combination.
        C: Exploration constant.
        tuples: Lengths of the tuples in the model.
        full_tuple: Whether the tuple of all parameters is in the model too.
        unseen: What a tuple without data counts.
    """

    neighbours: int = 5
    C: float = 0.2
    tuples: tuple[int, ...] = (1,)
    full_tuple: bool = True
    unseen: Literal["skip", "half", "lucas"] = "skip"

    def __post_init__(self):
        positive("C", self.C)
        if not 1 <= self.neighbours <= 1_000_000:
            raise BadInput(f"neighbours must be between 1 and a million, not {self.neighbours}")

    def members(self, d):
        """The tuples for d parameters, each as the numbers of its members."""
        lengths = sorted({*self.tuples, *([d] if self.full_tuple else [])})
        if not lengths or min(lengths) < 1 or max(lengths) > d:
            raise BadInput(f"tuples of {list(self.tuples)} parameters cannot be formed from {d}; "
                           "lengths from 1 to the number of parameters are possible")
        return [members for n in lengths for members in subsets(range(d), n)]


cdef enum Unseen:
    SKIP
    HALF
    LUCAS

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define prefetch(p) __builtin_prefetch(p)
    #else
    #define prefetch(p) ((void)(p))
    #endif
    """
    void prefetch(const void* p) nogil

ctypedef struct Candidate:
    int genes[MAX_PARAMETERS]

# An arm's place in its tuple's table is the sum of gene * stride over the members.
ctypedef struct Tuple:
    Arm* arms
    int n
    int member[MAX_PARAMETERS]
    int stride[MAX_PARAMETERS]


cdef inline Arm* arm_of(const Tuple* t, const int* genes) noexcept nogil:
    """The arm that a combination selects in a tuple's bandit."""
    cdef int place = genes[t.member[0]] * t.stride[0]
    cdef int i
    for i in range(1, t.n):
        place += genes[t.member[i]] * t.stride[i]
    return t.arms + place


@cython.final       # so that `value`, called for every neighbour, is inlined
cdef class TupleModel(Allocation):
    """The landscape model and the present combination of one role."""

    cdef Tuple* tuples
    cdef Arm* arms                  # of all tuples
    cdef int64_t n_arms
    cdef int n_tuples
    cdef int n_singles              # d if the model has 1-tuples, which come first, else 0
    cdef Candidate* candidates
    cdef int neighbours
    cdef Unseen unseen
    cdef bint started
    cdef double C
    cdef double updates
    cdef Roots roots

    def __init__(self, combinations, seed, settings):
        Allocation.__init__(self, combinations, seed)
        cdef int k
        cdef int64_t stride
        self.C = settings.C
        self.neighbours = settings.neighbours
        self.unseen = {"skip": SKIP, "half": HALF, "lucas": LUCAS}[settings.unseen]
        sizes = combinations.sizes()
        members = settings.members(len(sizes))
        tables = []
        for tuple_ in members:
            stride = 1
            for i in tuple_:
                stride *= sizes[i]
            tables.append(stride)
        self.n_tuples = len(members)
        self.n_arms = sum(tables)
        self.n_singles = sum(len(tuple_) == 1 for tuple_ in members)
        self.tuples = <Tuple*>calloc(self.n_tuples, sizeof(Tuple))
        self.arms = <Arm*>calloc(self.n_arms, sizeof(Arm))
        self.candidates = <Candidate*>calloc(self.neighbours, sizeof(Candidate))
        if not (self.tuples and self.arms and self.candidates):
            raise MemoryError
        arms_reset(self.arms, self.n_arms, 0)
        if self.unseen == LUCAS:
            for start in range(self.n_arms):
                self.arms[start].spread = 1 / sqrt(0.5)
        start = 0
        for k, tuple_ in enumerate(members):
            self.tuples[k].arms = self.arms + <int64_t>start
            stride = 1
            for i in reversed(tuple_):
                self.tuples[k].member[self.tuples[k].n] = i
                self.tuples[k].stride[self.tuples[k].n] = stride
                self.tuples[k].n += 1
                stride *= sizes[i]
            start += tables[k]

    def __dealloc__(self):
        free(self.candidates)
        free(self.tuples)
        free(self.arms)

    cdef double value(self, const int* genes, double scale) noexcept nogil:
        """How promising the model finds a combination."""
        cdef double known = 0, total = 0, explore = 0
        cdef const Tuple* tuples = self.tuples
        cdef const Arm* arm
        cdef int k
        for k in range(self.n_tuples):
            if k < self.n_singles:
                arm = self.arms + self.space.first[k] + genes[k]
            else:
                arm = arm_of(&tuples[k], genes)
            explore += arm.spread
            known += arm.n if arm.n < 1 else 1      # 1 for a seen arm; a minimum is no branch
            total += arm.mean               # 0 for an unseen arm
        if self.unseen == LUCAS:
            total = total / known if known else 0
            return total + scale * explore / self.n_tuples + 1e-6 * rng_double(&self.rng)
        total += scale * explore            # an unseen arm has no spread
        if self.unseen == HALF:
            return (total + 0.5 * (self.n_tuples - known)) / self.n_tuples
        return total / known if known else 0

    cdef void choose(self) noexcept nogil:
        cdef double value, best = 0, scale
        cdef const Tuple* last = &self.tuples[self.n_tuples - 1]
        cdef int k, winner = 0
        if not self.started:
            self.started = True
            combos_draw(self.space, &self.rng, self.genes)
            return
        scale = self.C * root_of_log(&self.roots, self.updates + (self.unseen == LUCAS))
        # All neighbours first: their arms in the large last table come from memory while the next ones are
        # drawn.
        for k in range(self.neighbours):
            memcpy(self.candidates[k].genes, self.genes, sizeof(Candidate))
            combos_mutate(self.space, &self.rng, self.candidates[k].genes)
            prefetch(arm_of(last, self.candidates[k].genes))
        for k in range(self.neighbours):
            value = self.value(self.candidates[k].genes, scale)
            if k == 0 or value > best + 1e-12 * (1.0 + fabs(best)):     # equal ones differ by the rounding of their sums
                best = value
                winner = k
        memcpy(self.genes, self.candidates[winner].genes, sizeof(Candidate))

    cdef void update(self, double reward) noexcept nogil:
        cdef int k
        cdef Arm* arm
        self.updates += 1
        for k in range(self.n_tuples):
            arm = arm_of(&self.tuples[k], self.genes)
            arm_update(arm, reward)
            if self.unseen == LUCAS:
                arm.spread = 1 / sqrt(arm.n + 0.5)

    def best(self):
        """The combination with the highest mean in the full tuple; None if the model does without it."""
        cdef Tuple* t = &self.tuples[self.n_tuples - 1]
        cdef int64_t place = arms_greedy(t.arms, 0, self.n_arms - (t.arms - self.arms))
        genes = []
        if place < 0:
            return None
        if t.n < self.space.d:
            return None
        for i in reversed(range(t.n)):          # its members are listed from the last parameter to the first
            genes.append(place // t.stride[<int>i] % self.space.size[t.member[<int>i]])
        return genes


cdef class Ntbea(Tuner):
    """One model per role."""

    Settings = NtbeaSettings

    def __init__(self, settings):
        Tuner.__init__(self, settings)
        check_table(self.combinations)
        sizes = self.combinations.sizes()
        arms = 0
        for members in settings.members(len(sizes)):
            table = 1
            for i in members:
                table *= sizes[i]
            arms += table
        if arms > 4 * MAX_TABLE:
            raise BadInput(f"these tuples need {arms:,} arms; give fewer or shorter tuples, or fewer values")

    def allocate(self, seed):
        return TupleModel(self.combinations, seed, self.settings)


prepare_counts()
CONTROLLERS.add("ntbea", Ntbea)
