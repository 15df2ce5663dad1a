"""Breadth-first search with safety prepruning, started anew for every move.

    1. Safety prepruning: every action is played M times from the root; only those with the fewest immediate losses
       are searched. It takes at most half of the tick; the tries go round the actions, so an early end is fair.
    2. Breadth-first search, one successor per action and situation; a lost or won one is not expanded.
    3. The action is the first one on the way to the situation with the highest X = score, +-1e7 at a win or loss.

Geffner and Geffner 2015 (Width-based planning for general video-game playing), the baseline "BrFS", and Soemers 2016,
section 3.3.1. Left open there and decided here (docs/readings.md#iterated-width):
 of equally good situations that are better than the root the nearest
counts, and chance decides among equally near ones; where nothing is better than the root, chance decides among all
situations kept, so that the avatar drifts to where most can be reached. A simulation is one generated situation, those
of the prepruning included. Waiting (NIL) is not tried. A situation with the key of an earlier one is a duplicate and not kept
(also where chance rules: it is as good as the earlier one, and nearer ones came first), unless
`prune_duplicates = false`.

At most `max_states` situations wait for their expansion, each is given back when it was expanded; when there is no
room a new situation counts for the choice of the action but is not kept.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libc.stdlib cimport free

from paidia.core.machine.memory cimport malloc
from paidia.core.machine.now cimport now
from paidia.core.model cimport LOST, NO_MOVE, Situation, move_t, play_alone
from paidia.core.machine.rng cimport rng_below
from paidia.search.evaluation.base cimport plain_value

import msgspec

from paidia.core.errors import BadInput
from paidia.search.registry import SEARCHES


class BreadthFirstSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`samples` is M of safety prepruning, 0 switches it off."""

    samples: int = 10
    max_states: int = 16384
    prune_duplicates: bool = True


cdef class BreadthFirst(RootSearch):
    """Breadth-first search with safety prepruning (see breadth_first.pxd)."""

    Settings = BreadthFirstSettings
    MAX_NODES = 1 << 17

    def __init__(self, game, settings=None, *, controller=None):
        super().__init__(game, settings, controller=controller)
        self.repeat = 1
        self.samples = getattr(self.settings, "samples", 0)
        if self.samples < 0:
            raise BadInput(f"samples must be 0 or more, not {self.samples}")
        if not 1 <= self.settings.max_states <= 1 << 20:
            raise BadInput(f"max_states must lie between 1 and {1 << 20}, not {self.settings.max_states}")
        self.max_nodes = self.MAX_NODES
        self.nodes = <Node*>malloc(self.max_nodes * sizeof(Node))
        self.listed = <move_t*>malloc((game.max_legal + 1) * sizeof(move_t))
        if self.nodes == NULL or self.listed == NULL:
            raise MemoryError
        self.parent = self.new_state()
        self.prune_duplicates = getattr(self.settings, "prune_duplicates", False)
        if self.prune_duplicates:
            self.keys = KeySet()

    def __dealloc__(self):
        free(self.nodes)
        free(self.listed)

    def reset(self):
        """Room for situations."""
        RootSearch.reset(self)
        self.pool = StatePool(self.game, limit=self.settings.max_states)

    def _begin(self, Situation state, budget, int role, int step):
        """The clock runs already while room is made that was short in the last search."""
        RootSearch._begin(self, state, budget, role, step)
        self.pool.grow(self.game)

    cdef move_t decide(self) noexcept nogil:
        cdef int i, n = 0
        cdef int32_t node
        if self.list_options(self.root) == 0:
            return NO_MOVE
        self.preprune()
        self.best_value = -INFINITY
        self.n_equal = 0
        self.root_value = plain_value(self.root, 0)
        self.parent.c_copy(self.root)
        self.n_nodes = self.next_node = 0
        self.pool.clear()
        self.begin()
        if self.expand(-1):
            node = self.pop()
            while node >= 0 and self.expand(node):
                node = self.pop()
        if self.n_equal > 0:
            return self.options[self.best_first].move
        for i in range(self.n_options):     # no time for a single situation
            if self.options[i].safe:
                n += 1
                if rng_below(&self.rng, n) == 0:
                    self.best_first = i
        return self.options[self.best_first].move

    cdef void preprune(self) noexcept nogil:
        cdef int i, fewest = self.samples
        cdef double half = 0.5 * (self.clock.began + self.clock.deadline)
        cdef bint cut = False
        for _ in range(self.samples):
            for i in range(self.n_options):
                if self.clock.limit > 0 and 2 * self.clock.done >= self.clock.limit:
                    cut = True
                if 2 * self.steps >= self.most_steps > 0 or (self.clock.deadline > 0 and now() >= half):
                    cut = True
                if cut or not self.next_simulation():
                    cut = True
                    break
                self.branch(self.state, self.root)
                play_alone(self.state, self.options[i].move)
                self.steps += 1
                self.end_simulation(0.0 if self.state.c_winner(0) == LOST else 1.0)
                self.options[i].tries += 1
                self.options[i].losses += self.state.c_winner(0) == LOST
            if cut:
                break
        for i in range(self.n_options):
            fewest = min(fewest, <int>self.options[i].losses)
        for i in range(self.n_options):
            self.options[i].safe = self.options[i].losses == fewest

    cdef bint expand(self, int32_t node) noexcept nogil:
        """Generate the successors of a node, -1 is the root; False once the time is up."""
        cdef int i, n
        if node < 0:
            for i in range(self.n_options):
                if self.options[i].safe and not self.generate(-1, self.options[i].move, i, 1):
                    return False
            return True
        self.load(node)
        n = self.list_moves(self.parent, self.listed)
        for i in range(n):
            if not self.generate(node, self.listed[i], self.nodes[node].first, self.nodes[node].depth + 1):
                return False
        return True

    cdef void load(self, int32_t node) noexcept nogil:
        self.parent.c_copy(<Situation>self.pool.states[self.nodes[node].state])
        self.pool.give_back(self.nodes[node].state)

    cdef bint generate(self, int32_t origin, int action, int first, int depth) noexcept nogil:
        cdef Node node
        cdef bint kept
        cdef int _
        self.branch(self.state, self.parent)
        for _ in range(self.repeat):
            if not self.next_simulation():
                return False
            play_alone(self.state, action)
            self.steps += 1
            if self.state.c_terminal():
                break
        self.options[first].visits += 1
        node.parent, node.depth, node.first, node.action = origin, depth, first, action
        node.novelty = node.expanded = 0
        node.value = plain_value(self.state, 0)
        self.end_simulation(1.0 if node.value > self.root_value else 0.5 if node.value == self.root_value else 0.0)
        kept = self.admit(&node)
        self.consider(&node, kept)
        if kept and not self.state.c_terminal() and self.n_nodes < self.max_nodes:
            node.state = self.pool.store(self.state)
            if node.state >= 0 or self.roomless:
                self.nodes[self.n_nodes] = node
                self.n_nodes += 1
                self.push(self.n_nodes - 1)
        return True

    cdef void consider(self, const Node* node, bint kept) noexcept nogil:
        cdef double value = node.value
        cdef bint gain = value > self.root_value
        if value > self.options[node.first].value:
            self.options[node.first].value = value
        if not (gain or kept):
            return
        if value > self.best_value:
            self.best_value, self.best_depth, self.best_first, self.n_equal = value, node.depth, node.first, 1
        elif value == self.best_value:
            if gain and node.depth != self.best_depth:
                if node.depth < self.best_depth:    # only in orders other than breadth-first
                    self.best_depth, self.best_first, self.n_equal = node.depth, node.first, 1
                return
            self.n_equal += 1
            if rng_below(&self.rng, self.n_equal) == 0:
                self.best_first = node.first

    cdef void begin(self) noexcept nogil:
        if self.prune_duplicates:
            self.keys.forget()
            self.keys.add(self.parent.c_key())

    cdef bint admit(self, Node* node) noexcept nogil:
        return not self.prune_duplicates or self.keys.add(self.state.c_key())

    cdef void push(self, int32_t node) noexcept nogil:
        pass        # the nodes in the order of their creation are the queue

    cdef int32_t pop(self) noexcept nogil:
        if self.next_node == self.n_nodes:
            return -1
        self.next_node += 1
        return self.next_node - 1

    def _value_of(self, int i):
        """The best value behind a move."""
        return self.options[i].value if self.options[i].visits else self.root_value

    def kept(self):
        """The situations kept, in the order of their generation: (parent, action, depth, novelty, value)."""
        return [
            (self.nodes[i].parent, self.nodes[i].action, self.nodes[i].depth, self.nodes[i].novelty, self.nodes[i].value)
            for i in range(self.n_nodes)
        ]

    def notes(self):
        """How the search ended, and the immediate losses that the prepruning counted."""
        return {
            "kept": self.n_nodes,
            "losses": {self.move_name(self.options[i].move): self.options[i].losses for i in range(self.n_options)},
        }


SEARCHES.add("breadth-first", BreadthFirst)
