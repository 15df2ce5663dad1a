"""Progressive History: UCB1 plus a bonus for moves that were good anywhere, which fades with visits.

    Q(s, a) + C * sqrt(ln N(s) / N(s, a)) + H(a) * W / ( N(s, a) - N(s, a) * Q(s, a) + 1 )

H(a) is the mean result of the role's move a over all simulations (1 if it was never played). Nijssen and Winands 2011;
docs/readings.md#progressive-history. The bonus fades more slowly for good moves. Parameters: C, W, fpu, VO.
"""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int32_t

from paidia.core.machine.maths cimport log
from paidia.search.frame.parameters cimport N_PARAMETERS, P_C, P_FPU, P_VO, P_W
from paidia.search.selection.base cimport Selection
from paidia.search.frame.scale cimport on_scale
from paidia.search.frame.simulation cimport Simulation
from paidia.search.statistics.actions cimport means_here
from paidia.search.nodes.tree cimport Tree, node_visits, quality, tries, worth

from paidia.search.registry import SELECTIONS


cdef class ProgressiveHistory(Selection):
    """Progressive History.

    Options:
        ties: As in all selection strategies.
        decay: Factor on visits and sums after each step of the game; 1 keeps everything.
    """

    needs = ("actions",)
    records = True
    options = ("ties", "decay")

    cdef double decay

    def __init__(self, *, str ties="random", double decay=1.0):
        super().__init__(ties=ties)
        if not 0.0 <= decay <= 1.0:
            raise ValueError(f"decay is a factor from 0 to 1, not {decay}")
        self.decay = decay

    def begin_turn(self, int step):
        if self.decay < 1.0:
            self.actions.fade(self.decay, step)

    cdef int select(self, Tree tree, int32_t node, int role, int32_t first, int n, Simulation* sim) noexcept nogil:
        cdef double* p = sim.vectors + role * N_PARAMETERS
        cdef const double* history = means_here(self.actions, role, sim)
        cdef int i
        cdef double best = -INFINITY, visits, q, log_visits, bonus
        log_visits = log(max(1.0, node_visits(tree, node)))
        for i in range(n):
            if self.controller.per_read:
                self.controller.fresh(role, p)
            visits = tries(tree, first + i)
            bonus = history[tree.edges[first + i].move]
            if sim.scaled:
                bonus = on_scale(&sim.bounds, min(bonus, sim.bounds.high))
            bonus *= p[P_W]
            if visits <= 0:
                self.values[i] = p[P_FPU] + bonus
            else:
                q = quality(tree, first + i, visits, sim)
                bonus /= visits - visits * q + 1.0
                self.values[i] = worth(tree, first + i, q, sim) + p[P_C] * sqrt(log_visits / visits) + bonus
            best = max(best, self.values[i])
        return self.pick(n, best - p[P_VO], sim)


SELECTIONS.add("progressive-history", ProgressiveHistory)
