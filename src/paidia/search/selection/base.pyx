"""The base of selection strategies, and the one for strategies written in Python."""

from libc.stdint cimport int32_t
from libc.stdlib cimport free

import numpy as np

from paidia.core.machine.memory cimport malloc
from paidia.core.model cimport Rules
from paidia.core.machine.rng cimport rng_below
from paidia.search.frame.choice cimport Best, no_offer, offer
from paidia.search.frame.parameters cimport N_PARAMETERS, P_C
from paidia.search.frame.simulation cimport Simulation
from paidia.search.frame.strategy cimport Strategy
from paidia.search.nodes.tree cimport Edge, Tree, quality, tries
from paidia.search.nodes.tree cimport node_visits as visits_of


cdef class Selection(Strategy):
    """Chooses the move of a role at a node.

    Options:
        ties: "random" draws among moves of equal value, "in-turn" too, but with a draw for each one that comes up (the video
            game agents were measured so), "first" takes the first in generation order.
    """

    options = ("ties",)

    def __init__(self, *, str ties="random"):
        if ties not in ("random", "in-turn", "first"):
            raise ValueError(f"ties are broken 'random', 'in-turn' or 'first', not {ties!r}")
        self.first_of_ties = ties == "first"
        self.ties_in_turn = ties == "in-turn"

    def __dealloc__(self):
        free(self.values)

    def begin_game(self, Rules game not None):
        free(self.values)
        self.values = <double*>malloc((game.max_legal + 1) * sizeof(double))
        if self.values == NULL:
            raise MemoryError()

    cdef void begin_simulation(self, Simulation* sim) noexcept nogil:
        pass

    cdef void enter(self, Tree tree, int32_t node, Simulation* sim) noexcept nogil:
        pass

    cdef int select(self, Tree tree, int32_t node, int role, int32_t first, int n, Simulation* sim) noexcept nogil:
        return 0

    cdef int pick(self, int n, double least, Simulation* sim) noexcept nogil:
        cdef int i, equal = 0, chosen = 0
        cdef bint good
        if self.ties_in_turn:
            return self.pick_in_turn(n, least, sim)
        for i in range(n - 1, -1, -1):      # no branch to mispredict: which moves are good is anybody's guess
            good = self.values[i] >= least
            equal += good
            chosen = i if good else chosen
        if equal <= 1 or self.first_of_ties:
            return chosen
        equal = rng_below(&sim.rng, equal)
        for i in range(chosen, n):
            if self.values[i] >= least:
                if equal == 0:
                    return i
                equal -= 1
        return chosen

    cdef int pick_in_turn(self, int n, double least, Simulation* sim) noexcept nogil:
        cdef Best best = no_offer(0)
        cdef int i
        for i in range(n):
            offer(&best, &sim.rng, min(self.values[i], least), i)
        return best.chosen

    cdef int pick_unvisited(self, Tree tree, int32_t first, int n, Simulation* sim) noexcept nogil:
        """One of the moves without visits, or -1 if there is none."""
        cdef int i, count = 0
        cdef const Edge* edges = tree.edges + first
        for i in range(n):
            count += edges[i].visits == 0
        if count == 0:
            return -1
        count = 0 if self.first_of_ties else rng_below(&sim.rng, count)
        for i in range(n):
            if edges[i].visits == 0:
                if count == 0:
                    return i
                count -= 1
        return -1


cdef class PythonSelection(Selection):
    """A selection strategy in plain Python: override `choose`. Slow, and right for trying ideas."""

    def choose(self, role, moves, visits, means, node_visits, exploration):
        """The index of the chosen move.

        Args:
            role: Who chooses.
            moves: Move ids (numpy array), in generation order.
            visits: Visits of each.
            means: Mean result of each in [0, 1], 0 where it has no visits.
            node_visits: Visits of the node.
            exploration: The present value of the parameter C.
        """
        raise NotImplementedError

    cdef int select(self, Tree tree, int32_t node, int role, int32_t first, int n, Simulation* sim) noexcept nogil:
        cdef int i, chosen = 0
        with gil:
            try:
                seen = [tries(tree, first + i) for i in range(n)]
                means = [quality(tree, first + i, seen[i], sim) if seen[i] > 0 else 0.0 for i in range(n)]
                chosen = self.choose(
                    role, np.array([tree.edges[first + i].move for i in range(n)], dtype=np.int32),
                    np.array(seen, dtype=np.float64 if tree.sequences else np.int32), np.array(means),
                    visits_of(tree, node) if tree.sequences else tree.nodes[node].visits,
                    sim.vectors[role * N_PARAMETERS + P_C],
                )
                if not 0 <= chosen < n:
                    raise ValueError(f"choose() returned {chosen}; there are {n} moves")
            except BaseException as error:
                chosen = 0
                self.fail(error)
        return chosen
