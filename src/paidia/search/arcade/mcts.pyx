"""The tree search of Soemers 2016 (Enhancements for Real-Time Monte-Carlo Tree Search in General Video Game Playing)."""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int8_t, int32_t

from paidia.core.arcade cimport N_ACTIONS, NIL
from paidia.core.maths cimport log
from paidia.core.rng cimport rng_below
from paidia.search.arcade.evaluation cimport normalised
from paidia.search.arcade.open_loop cimport MAX_DEPTH, OpenLoop
from paidia.search.arcade.open_tree cimport NONE, ROOT, OpenNode, mean

import msgspec

from paidia.core.errors import BadInput
from paidia.search.arcade.registry import ARCADE_SEARCHES


class MctsSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of `mcts`.

    Attributes:
        C: Exploration constant.
        depth: Longest play-out in ticks.
    """

    C: float = 0.6
    depth: int = 10

    def __post_init__(self):
        if not 0 <= self.C < INFINITY:
            raise BadInput(f"C is an exploration constant, 0 or larger, not {self.C:g}")
        if not 1 <= self.depth <= MAX_DEPTH:
            raise BadInput(f"depth is a number of ticks from 1 to {MAX_DEPTH}, not {self.depth}")


cdef class ArcadeMcts(OpenLoop):
    """The thesis' search."""

    Settings = MctsSettings
    PARAMETERS = ("C",)

    def __init__(self, settings=None, *, controller=None):
        super().__init__(settings, controller=controller)
        self.total_depth = False
        self.whole_playout = True
        self.use_start = True
        self.depth = self.settings.depth

    cdef int choose_child(self, int32_t node, const int8_t* actions, int n) noexcept nogil:
        cdef const OpenNode* parent = &self.tree.nodes[node]
        cdef const OpenNode* child
        cdef double logarithm = log(parent.visits) if parent.visits > 1 else 0.0
        cdef double value, best = -INFINITY
        cdef int i, chosen = actions[0], equal = 0
        for i in range(n):
            child = &self.tree.nodes[parent.child[actions[i]]]
            value = INFINITY
            if child.visits > 0:
                value = normalised(&self.bounds, mean(child)) + self.vector[0] * sqrt(logarithm / child.visits)
            if value > best:
                best, chosen, equal = value, actions[i], 1
            elif value == best:
                equal += 1
                if rng_below(&self.rng, equal) == 0:
                    chosen = actions[i]
        return chosen

    cdef int final_action(self) noexcept nogil:
        cdef const OpenNode* root = &self.tree.nodes[ROOT]
        cdef const OpenNode* child
        cdef double value, best = -INFINITY
        cdef int action, chosen = NIL, equal = 0
        for action in range(N_ACTIONS):
            if root.child[action] == NONE:
                continue
            child = &self.tree.nodes[root.child[action]]
            value = mean(child)
            if value > best:
                best, chosen, equal = value, action, 1
            elif value == best:
                equal += 1
                if rng_below(&self.rng, equal) == 0:
                    chosen = action
        return chosen


ARCADE_SEARCHES.add("mcts", ArcadeMcts)
