"""UCB1-Tuned: the exploration term shrinks where the results of a move vary little.

    Q(s, a) + C * sqrt( ln N(s) / N(s, a) * min(1/4, V(s, a)) )
    V(s, a) = mean of squares - Q(s, a)^2 + sqrt(2 * ln N(s) / N(s, a))

Auer, Cesa-Bianchi and Fischer 2002, section 4. The paper has no constant: C = 1. Parameters: C, fpu, VO.
"""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int32_t

from paidia.core.machine.maths cimport log
from paidia.search.frame.parameters cimport N_PARAMETERS, P_C, P_FPU, P_VO
from paidia.search.selection.base cimport Selection
from paidia.search.frame.simulation cimport Simulation
from paidia.search.nodes.tree cimport Tree, node_visits, quality, tries

from paidia.search.registry import SELECTIONS


cdef class Ucb1Tuned(Selection):
    """UCB1-Tuned."""

    needs = ("squares",)

    cdef int select(self, Tree tree, int32_t node, int role, int32_t first, int n, Simulation* sim) noexcept nogil:
        cdef double* p = sim.vectors + role * N_PARAMETERS
        cdef int i
        cdef double best = -INFINITY, visits, q, variance, log_visits, scale = 1.0
        log_visits = log(max(1.0, node_visits(tree, node)))
        if sim.scaled and sim.bounds.high > sim.bounds.low:
            scale = 1.0 / (sim.bounds.high - sim.bounds.low)
        for i in range(n):
            if self.controller.per_read:
                self.controller.fresh(role, p)
            visits = tries(tree, first + i)
            if visits <= 0:
                self.values[i] = p[P_FPU]
            else:
                q = tree.edges[first + i].sum / visits
                variance = (tree.squares[first + i] / visits - q * q) * (scale * scale) + sqrt(2.0 * log_visits / visits)
                q = quality(tree, first + i, visits, sim)
                self.values[i] = q + p[P_C] * sqrt(log_visits / visits * min(0.25, max(0.0, variance)))
            best = max(best, self.values[i])
        return self.pick(n, best - p[P_VO], sim)


SELECTIONS.add("ucb1-tuned", Ucb1Tuned)
