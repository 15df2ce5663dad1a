"""GRAVE, and with it RAVE and HRAVE: UCB1 on a mean mixed with all-moves-as-first statistics.

    V(s, a) = (1 - beta) * Q(s, a) + beta * AMAF(s', a)  +  C * sqrt(ln N(s) / N(s, a))
    beta    = sqrt( K / (3 * N(s) + K) )

s' is the closest node on the path with at least `ref` visits, the root if there is none. ref = 0 is RAVE (s' = s), ref
= inf is HRAVE (s' = root), K = 0 is plain UCB1 (AMAF is ignored altogether), K = inf is pure AMAF. Cazenave 2015,
Sironi and Winands 2018 and 2021; docs/readings.md#beta (its orientation), #reference-node, #k-zero.

A move with AMAF data but no visits has the value AMAF + `fpu_amaf`, one with neither has `fpu`, one with visits but no
AMAF data its mean alone. Parameters: C, K, ref, fpu, fpu_amaf, VO.
"""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int32_t, int64_t

from paidia.core.model cimport MAX_ROLES
from paidia.core.machine.maths cimport log
from paidia.search.frame.parameters cimport N_PARAMETERS, P_C, P_FPU, P_FPU_AMAF, P_K, P_REF, P_VO
from paidia.search.selection.base cimport Selection
from paidia.search.frame.simulation cimport Simulation
from paidia.search.statistics.amaf cimport AmafEntry
from paidia.search.nodes.tree cimport NONE, Tree, node_visits, quality, tries

from paidia.search.registry import SELECTIONS


cdef class Grave(Selection):
    """GRAVE, RAVE and HRAVE, told apart by the parameter `ref`."""

    needs = ("amaf",)
    records = True

    cdef int32_t reference[MAX_ROLES]   # the node s' of each role in the present simulation

    cdef void begin_simulation(self, Simulation* sim) noexcept nogil:
        cdef int role
        for role in range(sim.n_roles):
            self.reference[role] = NONE

    cdef void enter(self, Tree tree, int32_t node, Simulation* sim) noexcept nogil:
        """Whoever is on move here: the AMAF table of a node holds the moves of all roles."""
        cdef double visits = node_visits(tree, node)
        cdef int role
        for role in range(sim.n_roles):
            if self.reference[role] == NONE or visits >= sim.vectors[role * N_PARAMETERS + P_REF]:
                self.reference[role] = node

    cdef int select(self, Tree tree, int32_t node, int role, int32_t first, int n, Simulation* sim) noexcept nogil:
        cdef double* p = sim.vectors + role * N_PARAMETERS
        cdef int64_t table = tree.nodes[self.reference[role]].amaf
        cdef const AmafEntry* entry
        cdef double visits = node_visits(tree, node)
        cdef double log_visits = log(max(1.0, visits))
        cdef double beta = weight(p[P_K], visits)
        cdef double best = -INFINITY, seen, mean, amaf, value
        cdef int i
        for i in range(n):
            if self.controller.per_read:
                self.controller.fresh(role, p)
                beta = weight(p[P_K], visits)
            seen = tries(tree, first + i)
            entry = NULL
            if p[P_K] > 0.0:
                entry = self.amaf.find(table, role, sim, tree.edges[first + i].move)
            if entry != NULL:
                amaf = entry.sum / entry.visits
                if seen <= 0:
                    value = amaf + p[P_FPU_AMAF]
                else:
                    mean = quality(tree, first + i, seen, sim)
                    value = (1.0 - beta) * mean + beta * amaf + p[P_C] * sqrt(log_visits / seen)
            elif seen <= 0:
                value = p[P_FPU]
            else:
                value = quality(tree, first + i, seen, sim) + p[P_C] * sqrt(log_visits / seen)
            self.values[i] = value
            best = max(best, value)
        return self.pick(n, best - p[P_VO], sim)


cdef inline double weight(double k, double visits) noexcept nogil:
    """beta: how much AMAF counts at a node with this many visits."""
    if k <= 0.0:
        return 0.0
    if k == INFINITY:
        return 1.0
    return sqrt(k / (3.0 * visits + k))


SELECTIONS.add("grave", Grave)
