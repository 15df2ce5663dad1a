"""Loss avoidance (LA): where a playout runs into a loss, its last move is changed before anything is backed up.

The path without its last move is played again on a copy of the root; from there every other move is tried once. The best
value is backed up as the result of the simulation, through the node of the move that gave it. The nodes of the other
moves, the lost one included, count their own values with weight 1 / (number of moves).
If the game ends while the path is played again, that end is backed up at once.

Soemers 2016, section 4.1.2; docs/readings.md#loss-avoidance. Losses met in selection are backed up as they are.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free

from paidia.core.machine.memory cimport malloc
from paidia.core.model cimport LOST, Rules, Situation, move_t
from paidia.search.evaluation.base cimport plain_value
from paidia.search.repair.base cimport Repair
from paidia.search.frame.simulation cimport Path, Simulation
from paidia.search.nodes.tree cimport NONE, fits

from paidia.search.registry import REPAIRS


cdef class LossAvoidance(Repair):
    """Changes the last move of a lost playout."""

    records = True

    cdef double* values         # of the situations behind the other moves
    cdef int32_t* children
    cdef readonly int64_t lost  # simulations of this search whose playout ran into a loss

    def __dealloc__(self):
        free(self.values)
        free(self.children)

    def begin_game(self, Rules game not None):
        free(self.values)
        free(self.children)
        self.values = <double*>malloc(game.max_legal * sizeof(double))
        self.children = <int32_t*>malloc(game.max_legal * sizeof(int32_t))
        if self.values == NULL or self.children == NULL:
            raise MemoryError

    def begin_search(self, Situation root not None, int role):
        """Count anew."""
        self.lost = 0

    def notes(self):
        """How often it had to act."""
        return {"lost_playouts": self.lost}

    cdef bint mend(self, double value, double* result) noexcept nogil:
        if self.search.sim.length == self.search.sim.tree_length or self.search.state.c_winner(0) != LOST:
            return False
        self.lost += 1
        result[0] = self.avoid(value)
        return True

    cdef double avoid(self, double lost) noexcept nogil:
        cdef Simulation* sim = &self.search.sim
        cdef Path* path = &self.search.path
        cdef const move_t* moves = NULL
        cdef int i, n, best = -1, end = sim.length
        cdef move_t last = sim.moves[end - 1]
        cdef int32_t parent, lost_node
        cdef double before
        self.search.branch(self.search.state, self.search.root)
        sim.length = 0
        while sim.length < end - 1:
            self.search.look_around()
            self.search.follow(sim.moves + sim.length, NONE)
            if self.search.state.c_terminal():
                if sim.length < path.length:
                    path.length = sim.length
                    path.leaf = path.nodes[sim.length]
                self.search.grow()
                return self.search.evaluate(self.search.state, 0)
        n = self.search.state.c_legal(0, &moves)
        if n > 0:
            self.search.look_around()
            self.search.take_down(&last)
        sim.length = end
        self.search.grow()
        if path.length < end or n == 0:         # no room for nodes, or nothing to do: the loss stands
            return lost
        parent, lost_node = path.nodes[end - 1], path.leaf
        before = plain_value(self.search.state, 0)
        if not fits(self.search.tree, parent, moves, n):
            self.search.tree.adopt(parent, 0, moves, n)
        for i in range(n):
            if moves[i] == last:
                continue
            self.search.branch(self.search.spare, self.search.state)
            self.search.advance(self.search.spare, moves + i)
            self.values[i] = self.search.evaluate(self.search.spare, 0)
            self.children[i] = self.search.child_of(parent, moves[i])
            if self.children[i] != NONE and (best < 0 or self.values[i] > self.values[best]):
                best = i
        if best < 0:
            return lost
        for i in range(n):
            if i != best and moves[i] != last and self.children[i] != NONE:
                self.search.credit(self.children[i], self.values[i], 1.0 / n, before)
        self.search.credit(lost_node, lost, 1.0 / n, before)
        sim.length = end - 1
        self.search.take_down(moves + best)
        sim.moves[end - 1] = moves[best]
        sim.length = end
        path.edges[end - 1] = self.search.tree.node_more[self.children[best]].incoming
        path.leaf = self.children[best]
        return self.values[best]


REPAIRS.add("loss-avoidance", LossAvoidance)
