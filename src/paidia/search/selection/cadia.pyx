"""The selection of CadiaPlayer: unexplored moves first, by MAST; then UCT mixed with RAVE.

    unexplored moves, if there are any:   P(a) proportional to exp( MAST(a) / tau )
    else the highest of
        (1 - beta) * ( Q(a) + C * sqrt(ln N / n(a)) ) + beta * ( R(a) + C * sqrt(ln M / m(a)) )
        beta = sqrt( K / (3 * N + K) );  below 0.01 RAVE is ignored

N visits of the node, n(a) and Q(a) those of the move and its mean; R(a) and m(a) the move's mean and count in the node's
own AMAF table (a move counts once per simulation), M the sum of m over the moves. Where a solver has proven bounds, moves
that cannot beat what another one brings for sure are left out. Ties at random.

Finnsson and Bjornsson, "Simulation-based approach to general game playing" (2008) and "CadiaPlayer: Search-control
techniques" (2011). C = 40 and tau = 10 on goals of 0 to 100 are 0.4 and 0.1 here; K = 500. That both terms of RAVE's mix
carry their own bonus, N and not n(a) in beta, and M as a sum are our reading
(docs/readings.md#cadia-style). Not handled: FAST and PAST (learned
features of states and predicates), and the optional urgency of unexplored moves. Parameters: C, K, tau, VO.
"""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int32_t
from libc.stdlib cimport free

from paidia.core.machine.memory cimport malloc
from paidia.core.model cimport Rules, move_t
from paidia.core.machine.maths cimport log
from paidia.search.frame.parameters cimport N_PARAMETERS, P_C, P_K, P_TAU, P_VO
from paidia.search.playout.gibbs cimport gibbs_choice, spread
from paidia.search.nodes.proofs cimport open_moves
from paidia.search.selection.base cimport Selection
from paidia.search.frame.simulation cimport Simulation
from paidia.search.statistics.amaf cimport AmafEntry
from paidia.search.statistics.actions cimport means_here
from paidia.search.nodes.tree cimport Edge, Tree, node_visits, quality, tries

from paidia.search.registry import SELECTIONS

cdef extern from *:
    """
    #define LEAST_BETA 0.01
    """
    const double LEAST_BETA


cdef class Cadia(Selection):
    """Unexplored moves by MAST, then UCT with RAVE."""

    needs = ("actions", "amaf-once")
    records = True

    cdef int* open             # which moves may still be the best one
    cdef move_t* unexplored
    cdef int* places            # of the unexplored ones

    def __dealloc__(self):
        free(self.open)
        free(self.unexplored)
        free(self.places)

    def begin_game(self, Rules game not None):
        Selection.begin_game(self, game)
        free(self.open)
        free(self.unexplored)
        free(self.places)
        self.open = <int*>malloc((game.max_legal + 1) * sizeof(int))
        self.unexplored = <move_t*>malloc((game.max_legal + 1) * sizeof(move_t))
        self.places = <int*>malloc((game.max_legal + 1) * sizeof(int))
        if not (self.open and self.unexplored and self.places):
            raise MemoryError()

    cdef int select(self, Tree tree, int32_t node, int role, int32_t first, int n, Simulation* sim) noexcept nogil:
        cdef double* p = sim.vectors + role * N_PARAMETERS
        cdef const Edge* edges = tree.edges + first
        cdef int i, count = 0
        open_moves(tree, node, role, first, n, self.open)
        for i in range(n):
            if self.open[i] and tries(tree, first + i) <= 0:
                self.unexplored[count] = edges[i].move
                self.places[count] = i
                count += 1
        if count:
            return self.places[gibbs_choice(
                means_here(self.actions, role, sim), self.unexplored, count, p[P_TAU] * spread(sim), sim)]
        return self.pick(n, self.judge(tree, node, role, first, n, sim) - p[P_VO], sim)

    cdef double judge(self, Tree tree, int32_t node, int role, int32_t first, int n, Simulation* sim) noexcept nogil:
        """Put the value of every open move into `values`; returns the best."""
        cdef double* p = sim.vectors + role * N_PARAMETERS
        cdef const Edge* edges = tree.edges + first
        cdef const AmafEntry* entry
        cdef double visits = node_visits(tree, node), seen
        cdef double log_visits = log(max(1.0, visits)), log_rave = 0.0, total = 0.0
        cdef double best = -INFINITY, beta = weight(p[P_K], visits), value, rave
        cdef int i
        if beta > 0.0:
            for i in range(n):
                entry = self.amaf.find(tree.nodes[node].amaf, role, sim, edges[i].move)
                if entry != NULL:
                    total += entry.visits
            log_rave = log(max(1.0, total))
        for i in range(n):
            self.values[i] = -INFINITY
            if not self.open[i]:
                continue
            seen = tries(tree, first + i)
            value = quality(tree, first + i, seen, sim) + p[P_C] * sqrt(log_visits / seen)
            if beta > 0.0:
                entry = self.amaf.find(tree.nodes[node].amaf, role, sim, edges[i].move)
                if entry != NULL:
                    rave = entry.sum / entry.visits
                    rave += p[P_C] * sqrt(log_rave / entry.visits)
                    value = (1.0 - beta) * value + beta * rave
            self.values[i] = value
            best = max(best, value)
        return best


cdef inline double weight(double k, double visits) noexcept nogil:
    """beta, or 0 where RAVE is ignored."""
    cdef double beta
    if k <= 0.0:
        return 0.0
    beta = 1.0 if k == INFINITY else sqrt(k / (3.0 * visits + k))
    return beta if beta >= LEAST_BETA else 0.0


SELECTIONS.add("cadia", Cadia)
