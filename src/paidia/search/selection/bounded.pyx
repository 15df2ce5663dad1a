# distutils: extra_compile_args = -O3
"""UCB1 over the moves that can still be best, as far as proofs tell, with what moves were worth elsewhere for a start.

    value = (sum + prior * history) / (visits + prior) + C * sqrt(ln N / (visits + prior))

`history` is the mean result of the move over all simulations in which it was played (as MAST keeps it), counted as `prior`
visits: it says where to look first, and fades as the move gets visits of its own. With prior 0 unvisited moves go first.
What is proven to be lost, or no better than what another move brings for sure, is left out (see nodes/proofs.pxd). A proof
is looked up for the chosen move alone as a rule: reading those of all children would cost more than the choice.

Coulom 2007 and Gelly and Silver 2007 start moves with prior visits; Nijssen and Winands 2011 (Progressive History) take the
prior from the history of moves. Parameters: C, VO.
"""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free

from paidia.core.machine.maths cimport bound, log, prepare_counts, root_log_count
from paidia.core.machine.memory cimport malloc
from paidia.core.model cimport Rules
from paidia.search.frame.parameters cimport N_PARAMETERS, P_C, P_VO
from paidia.search.frame.simulation cimport Simulation
from paidia.search.nodes.proofs cimport open_moves
from paidia.search.nodes.tree cimport NONE, Edge, Tree, node_visits, quality, tries
from paidia.search.selection.base cimport Selection
from paidia.search.statistics.actions cimport means_here

from paidia.search.registry import SELECTIONS


cdef inline bint closed(Tree tree, int32_t node, int role, int32_t edge) noexcept nogil:
    """Whether proofs may speak against a move, or for another one: then all moves have to be looked at."""
    cdef int32_t child = tree.edges[edge].child
    if tree.bounds == NULL or tree.nodes[node].mover != role:
        return False
    if tree.bounds[(<int64_t>node * tree.n_roles + role) * 2] > 0.0:
        return True
    return child != NONE and tree.bounds[(<int64_t>child * tree.n_roles + role) * 2 + 1] <= 0.0


cdef class Bounded(Selection):
    """UCB1 with a prior from the history of moves, among moves that can still be best.

    Options:
        prior: Visits that the history of a move counts.
    """

    options = ("ties", "prior")

    cdef int prior
    cdef int* open              # which moves may still be the best one

    def __init__(self, *, str ties="random", int prior=0):
        super().__init__(ties=ties)
        if not 0 <= prior <= 1000:
            raise ValueError(f"prior is a number of visits, 0 to 1000, not {prior}")
        self.prior = prior

    @property
    def needs(self):
        """The history of moves, where it counts."""
        return ("actions",) if self.prior else ()

    @property
    def records(self):
        return self.prior > 0

    def __dealloc__(self):
        free(self.open)

    def begin_game(self, Rules game not None):
        Selection.begin_game(self, game)
        free(self.open)
        self.open = <int*>malloc((game.max_legal + 1) * sizeof(int))
        if self.open == NULL:
            raise MemoryError

    cdef int select(self, Tree tree, int32_t node, int role, int32_t first, int n, Simulation* sim) noexcept nogil:
        cdef double* p = sim.vectors + role * N_PARAMETERS
        cdef const Edge* edges = tree.edges + first
        cdef const double* history = means_here(self.actions, role, sim) if self.prior else NULL
        cdef double* values = self.values
        cdef int i, chosen = 0, equal = 0, prior = self.prior
        cdef double best = -INFINITY, value, scale = p[P_C] * root_log_count(tree.nodes[node].visits + prior)
        cdef bint better
        if tree.sequences:
            return self.select_general(tree, node, role, first, n, sim)
        for i in range(n):
            if prior:
                value = bound(edges[i].sum + prior * history[edges[i].move], scale, edges[i].visits + prior)
            else:
                value = bound(edges[i].sum, scale, edges[i].visits) if edges[i].visits else INFINITY
            values[i] = value
            better = value > best       # no branch to mispredict: which move is best is anybody's guess
            equal = 1 if better else equal + (value == best)
            chosen = i if better else chosen
            best = value if better else best
        if equal > 1 or p[P_VO] > 0.0 or self.ties_in_turn:
            chosen = self.pick(n, best - p[P_VO], sim)
        if not closed(tree, node, role, first + chosen):
            return chosen
        open_moves(tree, node, role, first, n, self.open)
        best = -INFINITY
        for i in range(n):
            if not self.open[i]:
                values[i] = -INFINITY
            best = max(best, values[i])
        return self.pick(n, best - p[P_VO], sim)

    cdef int select_general(self, Tree tree, int32_t node, int role, int32_t first, int n, Simulation* sim) noexcept nogil:
        """The same for trees of sequences, whose visits have weights and of which nothing is proven."""
        cdef double* p = sim.vectors + role * N_PARAMETERS
        cdef double best = -INFINITY, visits, log_visits = log(max(1.0, node_visits(tree, node) + self.prior))
        cdef int i
        for i in range(n):
            visits = tries(tree, first + i)
            self.values[i] = quality(tree, first + i, visits, sim) * visits if visits > 0.0 else 0.0
            if self.prior:
                self.values[i] += self.prior * means_here(self.actions, role, sim)[tree.edges[first + i].move]
            visits += self.prior
            self.values[i] = self.values[i] / visits + p[P_C] * sqrt(log_visits / visits) if visits > 0.0 else INFINITY
            best = max(best, self.values[i])
        return self.pick(n, best - p[P_VO], sim)


prepare_counts()
SELECTIONS.add("bounded", Bounded)
