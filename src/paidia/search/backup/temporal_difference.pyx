"""Temporal-difference tree search, Sarsa-UCT(lambda): nodes learn from the estimate of the next node as well as from rewards.

    for t = T .. 1:   d = R_t + V(n_{t+1}) - V(n_t);   sum = lambda * sum + d;   visits += 1;   V(n_t) += sum / visits

V(n_{t+1}) is the value before its update, 0 behind the end. R_t is X(s_t) - X(s_{t-1}) with rewards on the way, else
X(s_T) - X(s_0) at the end and 0 before. Selection compares V + X(s) in the place of means. Soemers 2016, algorithm 4.5, with
gamma = 1. Not handled: trees of positions, and games of more than one role.
"""

from libc.stdint cimport int32_t

from paidia.core.model cimport Rules
from paidia.search.backup.base cimport EVALUATED, PLAIN_VALUES
from paidia.search.backup.monte_carlo cimport MonteCarlo
from paidia.search.frame.simulation cimport Path, Simulation
from paidia.search.nodes.tree cimport Tree, count

from paidia.search.registry import BACKUPS


cdef class TemporalDifference(MonteCarlo):
    """Means of the results, and estimates by temporal differences.

    Options:
        rewards: "end" rewards the end of a simulation, "steps" every step of it, "knowledge" every step with the full
            evaluation of each situation.
        trace: lambda, how far errors are passed on.
    """

    needs = ("sequences", "weights", "estimates")
    options = ("rewards", "trace")

    cdef bint on_the_way
    cdef double trace

    def __init__(self, *, str rewards="end", double trace=0.8):
        if rewards not in ("end", "steps", "knowledge"):
            raise ValueError(f"rewards are for 'end', 'steps' or 'knowledge', not {rewards!r}")
        if not 0.0 <= trace <= 1.0:
            raise ValueError(f"trace is a factor from 0 to 1, not {trace}")
        self.on_the_way = rewards != "end"
        self.wants_values = EVALUATED if rewards == "knowledge" else PLAIN_VALUES
        self.trace = trace

    def cannot_play(self, Rules game not None):
        """Its estimates are those of one role."""
        reason = f"temporal differences are for games of one role, and {game.id} has {game.n_roles}"
        return "" if game.n_roles == 1 else reason

    cdef void credit(self, Tree tree, int32_t edge, double result, double weight, double before,
                     const Simulation* sim) noexcept nogil:
        cdef double reward = result - (before if self.on_the_way else sim.values[0])
        count(tree, edge, result, weight)
        if edge != tree.front:
            tree.edge_more[edge].estimate += (reward - tree.edge_more[edge].estimate) * weight / tree.edge_more[edge].weight

    cdef void update(self, Tree tree, const Path* path, const Simulation* sim) noexcept nogil:
        cdef double total = 0.0, following = 0.0, reward, present
        cdef double result = sim.results[0]
        cdef const double* values = sim.values
        cdef int t, last = path.length
        MonteCarlo.update(self, tree, path, sim)
        for t in range(last, 0, -1):
            if self.on_the_way:
                reward = (result if t == last else values[t]) - values[t - 1]
            else:
                reward = result - values[0] if t == last else 0.0
            present = tree.edge_more[path.edges[t - 1]].estimate
            total = self.trace * total + (reward + following - present)
            tree.edge_more[path.edges[t - 1]].estimate += total / tree.edge_more[path.edges[t - 1]].weight
            following = present


BACKUPS.add("temporal-difference", TemporalDifference)
