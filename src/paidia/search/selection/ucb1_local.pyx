"""UCB1 with space-local normalisation of value estimates, for temporal-difference tree search.

    Q(m) = (V(m) + X(s) - low) / (high - low), cut to [0, 1];    value = Q + C * sqrt(ln N / n)

low and high are the extremes of the results that have passed the node of s, not of all results of the game as elsewhere: after a
single loss, far away, differences of the score still count. One half while they are equal. Vodopivec 2016; Soemers 2016 tried it
briefly with TDTS and names it for later (section 6.3); docs/readings.md#local-normalisation. Without a backup that estimates (or
before it does) V + X is the mean result. Parameters: C, fpu, VO.

Not handled: trees of positions, games of more than one role, and what MixMax adds, which is on the scale of the game.
"""

from libc.math cimport INFINITY, log, sqrt
from libc.stdint cimport int32_t

from paidia.core.model cimport Rules
from paidia.search.frame.parameters cimport N_PARAMETERS, P_C, P_FPU, P_VO
from paidia.search.frame.scale cimport Bounds, on_scale
from paidia.search.selection.base cimport Selection
from paidia.search.frame.simulation cimport Simulation
from paidia.search.nodes.tree cimport SequenceEdge, Tree, mean_of, node_visits, tries

from paidia.search.registry import SELECTIONS


cdef class Ucb1Local(Selection):
    """UCB1 on the scale of what has passed the node."""

    needs = ("sequences", "weights", "estimates")

    def cannot_play(self, Rules game not None):
        """What passed a node are the results of one role."""
        return "" if game.n_roles == 1 else f"local scales are for games of one role, and {game.id} has {game.n_roles}"

    cdef int select(self, Tree tree, int32_t node, int role, int32_t first, int n, Simulation* sim) noexcept nogil:
        cdef const SequenceEdge* here = &tree.edge_more[tree.node_more[node].incoming]
        cdef double* p = sim.vectors + role * N_PARAMETERS
        cdef double best = -INFINITY, visits, value, log_visits = log(max(1.0, node_visits(tree, node)))
        cdef Bounds local
        cdef int i
        local.low, local.high = here.low, here.high
        for i in range(n):
            visits = tries(tree, first + i)
            self.values[i] = p[P_FPU]
            if visits > 0:
                value = mean_of(tree, first + i)
                if sim.values != NULL:
                    value = tree.edge_more[first + i].estimate + sim.values[sim.length]
                value = min(1.0, max(0.0, on_scale(&local, value)))
                self.values[i] = value + p[P_C] * sqrt(log_visits / visits)
            best = max(best, self.values[i])
        return self.pick(n, best - p[P_VO], sim)


SELECTIONS.add("ucb1-local", Ucb1Local)
