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

from libc.stdint cimport int32_t, int64_t, uint64_t

from paidia.core.model cimport MAX_ROLES, NO_MOVE, Rules, Situation, move_t
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
        ahead: Try every move of a position once when it gets its moves in the tree, so that an end one move away is known
            before the first simulation comes there.
    """

    options = ("discount", "relative", "solver", "ahead")

    cdef double discount
    cdef double factor          # the discount in this game
    cdef bint relative, solver
    cdef bint zero_sum          # in this game

    def __init__(self, *, double discount=0.999, relative=True, solver=True, ahead=False):
        if not 0.0 < discount <= 1.0:
            raise ValueError(f"discount is a factor above 0, up to 1, not {discount}")
        self.discount = discount
        self.relative, self.solver = flag("relative", relative), flag("solver", solver)
        self.looks_ahead = flag("ahead", ahead)
        if self.looks_ahead and not self.solver:
            raise ValueError("looking ahead is for proofs: it needs the solver")

    @property
    def needs(self):
        """Bounds, if it is to prove anything."""
        return ("bounds",) if self.solver else ()

    def begin_game(self, Rules game):
        self.factor = 1.0 if game.n_roles == 1 else self.discount
        self.zero_sum = self.relative and game.n_roles == 2

    cdef void score(self, Simulation* sim) noexcept nogil:
        self.relate(sim.results)

    cdef inline void relate(self, double* results) noexcept nogil:
        cdef double first = results[0], second
        if self.zero_sum:
            second = results[1]
            results[0] = (first - second + 1.0) / 2.0
            results[1] = (second - first + 1.0) / 2.0

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
        cdef int i
        if below == NONE:
            return
        if tree.nodes[below].terminal:
            self.settle(tree, below, sim.results)
        for i in range(path.length - 1, -1, -1):
            if not tight(tree, below):
                return
            below = path.nodes[i]
            rebound(tree, below, self.zero_sum)

    cdef inline void settle(self, Tree tree, int32_t node, const double* results) noexcept nogil:
        """The game is over there: what it ended with is what it is worth."""
        cdef float* bounds = tree.bounds + <int64_t>node * tree.n_roles * 2
        cdef int role
        for role in range(tree.n_roles):
            bounds[2 * role] = bounds[2 * role + 1] = <float>results[role]

    cdef int look_ahead(self, Tree tree, int32_t node, Situation state, Situation spare, int32_t step) noexcept nogil:
        cdef double results[MAX_ROLES]
        cdef move_t joint[MAX_ROLES]
        cdef int32_t e, child, first = tree.nodes[node].first, end = tree.nodes[node].first + tree.nodes[node].n_edges
        cdef uint64_t key
        cdef int role, mover = tree.nodes[node].mover
        cdef bint ends = False
        if mover < 0 or tree.bounds == NULL:
            return 0
        for role in range(tree.n_roles):
            joint[role] = NO_MOVE
        for e in range(first, end):
            spare.c_copy(state)
            joint[mover] = tree.edges[e].move
            spare.c_play(joint)
            if not spare.c_terminal() or spare.failed:
                continue
            key = spare.c_key()
            child = tree.find(key)
            if child == NONE:
                child = tree.add_node(spare, key, step)
                if child == NONE:
                    break
            spare.c_values(results)
            self.relate(results)
            self.settle(tree, child, results)
            tree.edges[e].child = child
            ends = True
        if ends:
            rebound(tree, node, self.zero_sum)
        return end - first


BACKUPS.add("cadia", CadiaBackup)
