"""A portfolio: whole settings, each one arm of a bandit.

    [control]
    kind = "portfolio"
    members = [{ K = 0, C = 0.7 }, { K = 250, ref = 50, C = 0.2 }, { K = 2000, ref = 0, C = 0.2 }]

Before each simulation the member with the largest UCB1 value is chosen, ties at random. Selection from a portfolio of strategies
is what Sironi and Winands, "On-line parameter tuning for Monte-Carlo Tree Search in general game playing", section 2, name as a
hyper-heuristic: a parameter may switch a strategy off (K = 0), so that members are different searches. All members name the same
parameters, but for `ref` where K is 0. Constants as of P_MAB there: C 0.7, first-play value 1.
"""

from libc.stdlib cimport free

from paidia.control import CONTROLLERS
from paidia.control.bandit cimport Arm, arm_update, arms_best, arms_greedy, arms_reset, ucb_scale
from paidia.control.combinations cimport MAX_PARAMETERS
from paidia.control.sets import GRAVE_SWITCH
from paidia.control.settings import ControlSettings, positive
from paidia.control.space import Parameter, Space
from paidia.control.tuner cimport Allocation, Tuner
from paidia.core.errors import BadInput
from paidia.core.machine.maths cimport prepare_counts
from paidia.core.machine.memory cimport calloc


class PortfolioSettings(ControlSettings, frozen=True, kw_only=True):
    """The members, and the constants of the bandit."""

    members: tuple[dict[str, float], ...] = ()
    C: float = 0.7
    first_play: float = 1.0

    def __post_init__(self):
        positive("C", self.C)
        if len(self.members) < 2:
            raise BadInput("a portfolio needs two members at least: members = [{ K = 0, C = 0.7 }, ...]")
        if self.parameters or self.values:
            raise BadInput("members of a portfolio name their values themselves: leave 'parameters' and 'values' out")
        names = self.names()
        for number, member in enumerate(self.members, start=1):
            silent = GRAVE_SWITCH.silences if member.get(GRAVE_SWITCH.parameter) == GRAVE_SWITCH.off else ""
            lacks = [name for name in names if name not in member and name != silent]
            if lacks:
                raise BadInput(f"member {number} of the portfolio does not say what {lacks[0]} is")
            if silent and silent in member:
                raise BadInput(f"member {number} of the portfolio: {silent} means nothing while {GRAVE_SWITCH.parameter} is 0")
        if len({tuple(sorted(member.items())) for member in self.members}) < len(self.members):
            raise BadInput("two members of the portfolio are the same")

    def names(self):
        """All parameters, in the order in which they are named."""
        return list(dict.fromkeys(name for member in self.members for name in member))

    def space(self):
        """The values that some member has."""
        found = {name: sorted({float(m[name]) for m in self.members if name in m}) for name in self.names()}
        return Space(tuple(Parameter(name, tuple(values)) for name, values in found.items()), (GRAVE_SWITCH,))


ctypedef struct Member:
    int genes[MAX_PARAMETERS]


cdef class Members(Allocation):
    """The bandit of one role."""

    cdef Member* members
    cdef Arm* arms
    cdef int n, arm
    cdef double C, updates

    def __init__(self, combinations, seed, settings):
        Allocation.__init__(self, combinations, seed)
        cdef int k, i
        self.n, self.C = len(settings.members), settings.C
        self.members = <Member*>calloc(self.n, sizeof(Member))
        self.arms = <Arm*>calloc(self.n, sizeof(Arm))
        if not (self.members and self.arms):
            raise MemoryError
        arms_reset(self.arms, self.n, settings.first_play)
        for k, member in enumerate(settings.members):
            for i, parameter in enumerate(combinations.space.parameters):
                if parameter.name in member:
                    self.members[k].genes[i] = self.space.low[i] + parameter.values.index(float(member[parameter.name]))

    def __dealloc__(self):
        free(self.members)
        free(self.arms)

    cdef void choose(self) noexcept nogil:
        cdef int i
        self.arm = arms_best(self.arms, 0, self.n, ucb_scale(self.C, self.updates), &self.rng)
        for i in range(self.space.d):
            self.genes[i] = self.members[self.arm].genes[i]

    cdef void update(self, double reward) noexcept nogil:
        self.updates += 1
        arm_update(&self.arms[self.arm], reward)

    def best(self):
        """The member with the highest mean reward."""
        k = arms_greedy(self.arms, 0, self.n)
        return None if k < 0 else [self.members[k].genes[i] for i in range(self.space.d)]


cdef class Portfolio(Tuner):
    """One bandit per role."""

    Settings = PortfolioSettings

    def allocate(self, seed):
        return Members(self.combinations, seed, self.settings)


prepare_counts()
CONTROLLERS.add("portfolio", Portfolio)
