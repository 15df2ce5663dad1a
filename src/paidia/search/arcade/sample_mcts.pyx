"""The open-loop tree search that comes with the GVGAI framework.

    selection   norm(mean) + K * sqrt(ln(N + 1) / (n + 1e-6)) + noise below 1e-6
    final       most visits; the best mean if all visits are equal

norm() maps the lowest and highest result that passed the parent to 0 and 1. One node is added per simulation; `D` limits
tree and play-out together; play-outs are uniform; the time before the game is not used and the tree is built anew every tick.
Values: score, +-1e7 at a win or a loss.

K = 1.4, D = 10 is the agent of Sironi, Liu, Perez-Liebana et al. 2018 (Self-Adaptive MCTS for GVGAI), K = sqrt(2) the one called
SOLMCTS by Soemers 2016 (table 5.1). The clock is paidia's own (see clock.pxd).
"""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int32_t

from paidia.core.arcade cimport N_ACTIONS, NIL
from paidia.core.model cimport move_t
from paidia.core.maths cimport log_count, prepare_counts
from paidia.core.rng cimport rng_double
from paidia.search.arcade.choice cimport Best, no_offer, offer
from paidia.search.arcade.open_loop cimport MAX_DEPTH, OpenLoop
from paidia.search.arcade.open_tree cimport NONE, ROOT, OpenNode, mean

import msgspec

from paidia.core.errors import BadInput
from paidia.search.arcade.registry import ARCADE_SEARCHES

prepare_counts()

cdef double EPSILON = 1e-6


class SampleSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of `sample-mcts`.

    Attributes:
        K: Exploration constant.
        D: Depth limit in ticks, tree and play-out together.
    """

    K: float = 1.4
    D: float = 10.0

    def __post_init__(self):
        if not 0 <= self.K < INFINITY:
            raise BadInput(f"K is an exploration constant, 0 or larger, not {self.K:g}")
        if not 1 <= self.D <= MAX_DEPTH or self.D != int(self.D):
            raise BadInput(f"D is a number of ticks from 1 to {MAX_DEPTH}, not {self.D:g}")


cdef class SampleMcts(OpenLoop):
    """The framework's sample search."""

    Settings = SampleSettings
    PARAMETERS = ("K", "D")

    def __init__(self, settings=None, *, controller=None):
        super().__init__(settings, controller=controller)
        self.total_depth = True
        self.whole_playout = False
        self.use_start = False

    cdef void read_parameters(self) noexcept nogil:
        self.depth = max(1, min(<int>self.vector[1], MAX_DEPTH))

    cdef int choose_child(self, int32_t node, const move_t* actions, int n) noexcept nogil:
        cdef const OpenNode* parent = &self.tree.nodes[node]
        cdef const OpenNode* child
        cdef double scale = 1.0 / (parent.high - parent.low) if parent.high > parent.low else 0.0
        cdef double logarithm = log_count(<int>parent.visits + 1)
        cdef double value, best = -INFINITY
        cdef int i, chosen = actions[0]
        for i in range(n):
            child = &self.tree.nodes[parent.child[actions[i]]]
            value = (
                (mean(child) - parent.low) * scale
                + self.vector[0] * sqrt(logarithm / (child.visits + EPSILON))
                + EPSILON * rng_double(&self.rng)
            )
            if value > best:
                best = value
                chosen = actions[i]
        return chosen

    cdef int final_action(self) noexcept nogil:
        cdef const OpenNode* root = &self.tree.nodes[ROOT]
        cdef const OpenNode* child
        cdef Best best = no_offer(NIL)
        cdef double first = -1.0
        cdef int action
        cdef bint all_equal = True
        for action in range(N_ACTIONS):
            if root.child[action] != NONE:
                child = &self.tree.nodes[root.child[action]]
                if first < 0:
                    first = child.visits
                elif child.visits != first:
                    all_equal = False
        for action in range(N_ACTIONS):
            if root.child[action] == NONE:
                continue
            child = &self.tree.nodes[root.child[action]]
            offer(&best, &self.rng, mean(child) if all_equal else child.visits, action)
        return best.chosen


ARCADE_SEARCHES.add("sample-mcts", SampleMcts)
