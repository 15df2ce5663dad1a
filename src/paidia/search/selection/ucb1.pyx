"""UCB1 applied to trees (UCT): the move with the best upper confidence bound.

    UCB1(s, a) = Q(s, a) + C * sqrt(ln N(s) / N(s, a))

Kocsis and Szepesvari 2006; docs/readings.md#first-play.
A move without visits has the value `fpu` (inf: unvisited moves go first). All
moves within `VO` of the best are equal. Parameters: C, fpu, VO. Statistics are per role, so simultaneous moves need
nothing more.
"""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int32_t

from paidia.core.machine.maths cimport bound, log, prepare_counts, root_log_count
from paidia.search.frame.parameters cimport N_PARAMETERS, P_C, P_FPU, P_VO
from paidia.search.selection.base cimport Selection
from paidia.search.frame.simulation cimport Simulation
from paidia.search.nodes.tree cimport Edge, Tree, node_visits, quality, tries, worth

from paidia.search.registry import SELECTIONS


cdef class Ucb1(Selection):
    """UCB1 (UCT)."""

    cdef int select(self, Tree tree, int32_t node, int role, int32_t first, int n, Simulation* sim) noexcept nogil:
        cdef double* p = sim.vectors + role * N_PARAMETERS
        cdef const Edge* edges = tree.edges + first
        cdef double* values = self.values
        cdef int i, seen, chosen = 0, equal = 0
        cdef double best = -INFINITY, value, scale, fpu
        cdef bint better
        if tree.sequences or self.controller.per_read:
            return self.select_general(tree, node, role, first, n, sim)
        if p[P_FPU] == INFINITY and tree.nodes[node].visits < n:
            i = self.pick_unvisited(tree, first, n, sim)
            if i >= 0:
                return i
        fpu = p[P_FPU]
        scale = p[P_C] * root_log_count(tree.nodes[node].visits)
        for i in range(n):
            seen = edges[i].visits
            value = bound(edges[i].sum, scale, seen) if seen > 0 else fpu
            values[i] = value
            better = value > best       # no branch to mispredict: which move is best is anybody's guess
            equal = 1 if better else equal + (value == best)
            chosen = i if better else chosen
            best = value if better else best
        if equal == 1 and p[P_VO] == 0.0 and not self.ties_in_turn:
            return chosen
        return self.pick(n, best - p[P_VO], sim)

    cdef int select_general(self, Tree tree, int32_t node, int role, int32_t first, int n, Simulation* sim) noexcept nogil:
        """The same without the tables of whole visits and bounded results, which make the other form fast."""
        cdef double* p = sim.vectors + role * N_PARAMETERS
        cdef double best = -INFINITY, visits, log_visits = log(max(1.0, node_visits(tree, node)))
        cdef int i
        for i in range(n):
            if self.controller.per_read:
                self.controller.fresh(role, p)
            visits = tries(tree, first + i)
            self.values[i] = p[P_FPU]
            if visits > 0:
                self.values[i] = (
                    worth(tree, first + i, quality(tree, first + i, visits, sim), sim) + p[P_C] * sqrt(log_visits / visits)
                )
            best = max(best, self.values[i])
        return self.pick(n, best - p[P_VO], sim)


prepare_counts()
SELECTIONS.add("ucb1", Ucb1)
