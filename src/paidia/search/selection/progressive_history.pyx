"""Progressive History: UCB1 plus a bonus for moves that were good anywhere, which fades with visits.

    Q(s, a) + C * sqrt(ln N(s) / N(s, a)) + H(a) * W / ( N(s, a) - N(s, a) * Q(s, a) + 1 )

H(a) is the mean result of the role's move a over all simulations (1 if it was never played). Nijssen and Winands 2011;
spec 2.2. The bonus fades more slowly for good moves. Parameters: C, W, fpu, VO.
"""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int32_t

from paidia.core.maths cimport log
from paidia.search.parameters cimport N_PARAMETERS, P_C, P_FPU, P_VO, P_W
from paidia.search.selection.base cimport Selection
from paidia.search.simulation cimport Simulation
from paidia.search.tree cimport Tree

from paidia.search.registry import SELECTIONS


cdef class ProgressiveHistory(Selection):
    """Progressive History."""

    needs = ("actions",)
    records = True

    cdef int select(self, Tree tree, int32_t node, int role, int32_t first, int n, Simulation* sim) noexcept nogil:
        cdef double* p = sim.vectors + role * N_PARAMETERS
        cdef const double* history = self.actions.means + <Py_ssize_t>role * sim.n_moves
        cdef int i
        cdef double best = -INFINITY, tries, mean, log_visits, bonus
        log_visits = log(max(1.0, <double>tree.nodes[node].visits))
        for i in range(n):
            tries = tree.edges[first + i].visits
            bonus = history[tree.edges[first + i].move] * p[P_W]
            if tries == 0:
                self.values[i] = p[P_FPU] + bonus
            else:
                mean = tree.edges[first + i].sum / tries
                bonus /= tries - tries * mean + 1.0
                self.values[i] = mean + p[P_C] * sqrt(log_visits / tries) + bonus
            best = max(best, self.values[i])
        return self.pick(n, best - p[P_VO], sim)


SELECTIONS.add("progressive-history", ProgressiveHistory)
