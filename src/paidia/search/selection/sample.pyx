"""The selection of the sample agent that comes with the GVGAI framework.

    norm(mean) + K * sqrt(ln(N + 1) / (n + 1e-6)) + noise below 1e-6

norm() maps the lowest and highest result that passed the node to 0 and 1. K = 1.4 is the agent of Sironi, Liu,
Perez-Liebana et al. 2018 (Self-Adaptive MCTS for GVGAI), K = sqrt(2) the one called SOLMCTS by Soemers 2016 (table 5.1).
It needs a tree of sequences. Parameter: K.
"""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int32_t

from paidia.core.machine.maths cimport log_count, prepare_counts
from paidia.core.model cimport Rules
from paidia.core.machine.rng cimport rng_double
from paidia.search.frame.parameters cimport N_PARAMETERS, P_K
from paidia.search.selection.base cimport Selection
from paidia.search.frame.simulation cimport Simulation
from paidia.search.nodes.tree cimport SequenceEdge, Tree, mean_of

from paidia.search.registry import SELECTIONS

cdef double EPSILON = 1e-6


cdef class Sample(Selection):
    """The framework's sample selection."""

    needs = ("sequences", "weights")

    def cannot_play(self, Rules game not None):
        """What passed a node are the results of one role."""
        return "" if game.n_roles == 1 else f"sample selection is for games of one role, and {game.id} has {game.n_roles}"

    cdef int select(self, Tree tree, int32_t node, int role, int32_t first, int n, Simulation* sim) noexcept nogil:
        cdef const SequenceEdge* parent = &tree.edge_more[tree.node_more[node].incoming]
        cdef double scale = 1.0 / (parent.high - parent.low) if parent.high > parent.low else 0.0
        cdef double logarithm = log_count(<int>parent.weight + 1)
        cdef double exploration = sim.vectors[role * N_PARAMETERS + P_K]
        cdef double value, best = -INFINITY
        cdef int i, chosen = 0
        for i in range(n):
            value = (
                (mean_of(tree, first + i) - parent.low) * scale
                + exploration * sqrt(logarithm / (tree.edge_more[first + i].weight + EPSILON))
                + EPSILON * rng_double(&sim.rng)
            )
            if value > best:
                best = value
                chosen = i
        return chosen


prepare_counts()
SELECTIONS.add("sample", Sample)
