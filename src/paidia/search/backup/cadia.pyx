"""The backup of CadiaPlayer: relative goals, discounted by distance, and bounds of what is proven (MCTS-Solver).

    two roles:   goal = (own - other + 1) / 2       for all that learns from the simulation
    edges:       sum += discount^(joint moves from the edge's node to the end) * goal     (no discount with one role)
    bounds:      a terminal position is worth its goals; where one role acts, it gets the best of its moves

Every node keeps for each role the least and the most that it can still bring. A simulation that comes to a node with
nothing left to prove ends there, with what is proven. Finnsson and Bjornsson, CadiaPlayer 3.0: discount 0.999; Winands,
Bjornsson and Saito, "Monte-Carlo Tree Search solver" (2008); Cazenave and Saffidine, "Score bounded Monte-Carlo Tree
Search" (2010). MAST and RAVE learn the goals without discount (our reading,
docs/readings.md#cadia-style). Not handled: positions in which several roles
act at once and games with chance prove nothing, and single-player games neither keep the best line nor stop at a perfect one.
"""

from libc.stdint cimport int32_t, int64_t

from paidia.core.model cimport Rules
from paidia.search.backup.base cimport Backup
from paidia.search.nodes.proofs cimport rebound, tight
from paidia.search.frame.simulation cimport Path, Simulation
from paidia.search.frame.strategy cimport flag
from paidia.search.nodes.tree cimport NONE, Tree, count, visit

from paidia.search.registry import BACKUPS


cdef class CadiaBackup(Backup):
    """Discounted means of relative goals, and proofs.

    Options:
        discount: Factor for each joint move between a node and the end of the simulation; 1 with a single role.
        relative: In games of two roles count the difference of the goals.
        solver: Keep bounds of what is proven.
    """

    options = ("discount", "relative", "solver")

    cdef double discount
    cdef double factor          # the discount in this game
    cdef bint relative, solver
    cdef bint zero_sum          # in this game

    def __init__(self, *, double discount=0.999, relative=True, solver=True):
        if not 0.0 < discount <= 1.0:
            raise ValueError(f"discount is a factor above 0, up to 1, not {discount}")
        self.discount = discount
        self.relative, self.solver = flag("relative", relative), flag("solver", solver)

    @property
    def needs(self):
        """Bounds, if it is to prove anything."""
        return ("bounds",) if self.solver else ()

    def begin_game(self, Rules game not None):
        self.factor = 1.0 if game.n_roles == 1 else self.discount
        self.zero_sum = self.relative and game.n_roles == 2

    cdef void score(self, Simulation* sim) noexcept nogil:
        cdef double first = sim.results[0], second
        if self.zero_sum:
            second = sim.results[1]
            sim.results[0] = (first - second + 1.0) / 2.0
            sim.results[1] = (second - first + 1.0) / 2.0

    cdef void update(self, Tree tree, const Path* path, const Simulation* sim) noexcept nogil:
        cdef int i, role
        cdef int32_t edge
        cdef double share = 1.0, value
        for _ in range(sim.length - path.length):
            share *= self.factor
        for i in range(path.length - 1, -1, -1):
            share *= self.factor
            visit(tree, path.nodes[i])
            for role in range(sim.n_roles):
                edge = path.edges[i * sim.n_roles + role]
                if edge != NONE:
                    value = share * sim.results[role]
                    count(tree, edge, value, 1.0)
        if tree.sequences:
            count(tree, tree.front, sim.results[0], 1.0)
        if tree.bounds != NULL:
            self.prove(tree, path, sim)

    cdef void prove(self, Tree tree, const Path* path, const Simulation* sim) noexcept nogil:
        """Carry what is known of the last node up the path, as far as it tells anything."""
        cdef int32_t below = path.leaf
        cdef float* bounds
        cdef int i, role
        if below == NONE:
            return
        if tree.nodes[below].terminal:
            bounds = tree.bounds + <int64_t>below * sim.n_roles * 2
            for role in range(sim.n_roles):
                bounds[2 * role] = bounds[2 * role + 1] = <float>sim.results[role]
        for i in range(path.length - 1, -1, -1):
            if not tight(tree, below):
                return
            below = path.nodes[i]
            rebound(tree, below, self.zero_sum)


BACKUPS.add("cadia", CadiaBackup)
