"""OLETS, open-loop expectimax tree search: a tree of action sequences without playouts, backed up by a mix of mean and best.

    r_M(n) = R_e(n)/n_s(n) + (1 - n_e(n)/n_s(n)) * max over children c of r_M(c)
    select   argmax over children a of  r_M(a) + sqrt( ln n_s(n) / n_s(a) )

n_s counts the simulations through a node, n_e those that ended in it with the sum of scores R_e. A simulation
goes down until a node has an action never tried there, tries one of those at random, and ends. The action played is the
one with the most simulations; chance decides between equals.

Couetoux in Perez-Liebana et al. 2016 (The 2014 general video game playing competition), algorithm 1. The score of a
situation is what the game's score rose by since the root, `terminal` added at a win and taken off at a loss; the paper
does not give this number. Its taboo: a new node whose avatar stands where it stood in one of the last `memory` ticks of
the game loses `taboo`, less than any change of the score (the paper: 10 to 30 ticks, an order of magnitude below
the smallest reward). The tree starts anew in every tick. NIL is not tried.
"""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

from paidia.core.arcade cimport N_ACTIONS, NIL, ArcadeState, Avatar
from paidia.core.model cimport LOST, WON, move_t, play_alone
from paidia.core.maths cimport log
from paidia.core.rng cimport rng_below
from paidia.search.arcade.base cimport ArcadeSearch
from paidia.search.arcade.choice cimport Best, no_offer, offer
from paidia.search.arcade.evaluation cimport forget_bounds, normalised, widen

import msgspec

from paidia.core.errors import BadInput
from paidia.search.arcade.registry import ARCADE_SEARCHES
from paidia.search.arcade.result import ActionRow

cdef enum:
    MAX_NODES = 1 << 17     # 7 MB; a full tree is searched on but grows no further
    EXPLORATION = 0         # places in the vector of parameters
    TABOO = 1


class OletsSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`exploration` is a factor on the square root, 1 in the paper."""

    exploration: float = 1.0
    taboo: float = 0.1
    memory: int = 15
    terminal: float = 1000.0


cdef class Olets(ArcadeSearch):
    """Open-loop expectimax tree search."""

    Settings = OletsSettings
    PARAMETERS = ("exploration", "taboo")

    def __cinit__(self, *args, **kwargs):
        self.nodes = <Node*>malloc(MAX_NODES * sizeof(Node))
        if self.nodes == NULL:
            raise MemoryError

    def __init__(self, settings=None, *, controller=None):
        super().__init__(settings, controller=controller)
        if not 0 <= self.settings.memory <= MAX_MEMORY:
            raise BadInput(f"memory must lie between 0 and {MAX_MEMORY} ticks, not {self.settings.memory}")
        self.memory, self.terminal = self.settings.memory, self.settings.terminal

    def __dealloc__(self):
        free(self.nodes)

    def reset(self):
        """One state serves all simulations."""
        self.state = self.game.initial_state()
        self.n = 0
        self.n_trail = 0
        forget_bounds(&self.bounds)

    cdef int decide(self) noexcept nogil:
        cdef const move_t* actions = NULL
        cdef Avatar avatar
        cdef int i
        self.n = min(self.root.c_legal(0, &actions), <int>N_ACTIONS)
        for i in range(self.n):
            self.actions[i] = actions[i]
        if self.n == 0:
            return NIL
        if self.memory > 0:
            self.root.c_avatar(&avatar)
            self.trail[self.n_trail % self.memory][0] = avatar.x
            self.trail[self.n_trail % self.memory][1] = avatar.y
            self.n_trail += 1
        self.root_score = self.root.c_score()
        self.n_nodes = 0
        self.new_node(-1)
        while self.next_simulation():
            self.simulate()
        return self.final_action()

    cdef int final_action(self) noexcept nogil:
        cdef int i, chosen = 0, equal = 0
        cdef int32_t child, most = 0
        for i in range(self.n):
            child = self.nodes[0].children[self.actions[i]]
            if child >= 0 and self.nodes[child].n_s > most:
                most, chosen, equal = self.nodes[child].n_s, i, 1
            elif child >= 0 and self.nodes[child].n_s == most:
                equal += 1
                if rng_below(&self.rng, equal) == 0:
                    chosen = i
        return self.actions[chosen] if equal else self.actions[rng_below(&self.rng, self.n)]

    cdef void stepped(self, int action, int depth) noexcept nogil:
        pass

    cdef double bonus(self) noexcept nogil:
        return 0.0

    cdef int32_t new_node(self, int32_t parent) noexcept nogil:
        cdef Node* node
        cdef int i
        if self.n_nodes == MAX_NODES:
            return -1
        node = &self.nodes[self.n_nodes]
        node.parent = parent
        for i in range(N_ACTIONS):
            node.children[i] = -1
        node.n_s = node.n_e = 0
        node.r_e = node.r_m = 0.0
        self.n_nodes += 1
        return self.n_nodes - 1

    cdef void simulate(self) noexcept nogil:
        cdef const move_t* actions = NULL
        cdef int32_t node = 0, child
        cdef int n, action, depth = 0
        cdef double score
        cdef bint fresh = False
        self.branch(self.state, self.root)
        while not fresh:
            n = self.state.c_legal(0, &actions)      # none once the game is over
            if n == 0:
                break
            action = self.untried(&self.nodes[node], actions, n)
            if action >= 0:
                child = self.new_node(node)
                if child < 0:
                    break
                self.nodes[node].children[action] = child
                fresh = True
            else:
                action = self.select(&self.nodes[node], actions, n)
                child = self.nodes[node].children[action]
            play_alone(self.state, action)
            self.advances += 1
            depth += 1
            self.stepped(action, depth)
            node = child
        score = self.score_of(self.state)
        widen(&self.bounds, score)
        self.end_simulation(normalised(&self.bounds, score))
        score += self.bonus()
        if fresh and self.on_trail():
            score -= self.vector[TABOO]
        self.nodes[node].n_e += 1
        self.nodes[node].r_e += score
        while node >= 0:
            self.nodes[node].n_s += 1
            self.nodes[node].r_m = self.mixed(&self.nodes[node])
            node = self.nodes[node].parent

    cdef int untried(self, const Node* node, const move_t* actions, int n) noexcept nogil:
        """A random action that has no child yet, -1 if all have one."""
        cdef int i, found = -1, count = 0
        for i in range(n):
            if node.children[actions[i]] < 0:
                count += 1
                if rng_below(&self.rng, count) == 0:
                    found = actions[i]
        return found

    cdef int select(self, const Node* node, const move_t* actions, int n) noexcept nogil:
        cdef Best best = no_offer(actions[0])
        cdef const Node* child
        cdef double value
        cdef int i
        for i in range(n):
            child = &self.nodes[node.children[actions[i]]]
            value = child.r_m + self.vector[EXPLORATION] * sqrt(log(<double>node.n_s) / child.n_s)
            offer(&best, &self.rng, value, actions[i])
        return best.chosen

    cdef double mixed(self, const Node* node) noexcept nogil:
        cdef double best = -INFINITY
        cdef int i
        for i in range(N_ACTIONS):
            if node.children[i] >= 0:
                best = max(best, self.nodes[node.children[i]].r_m)
        if best == -INFINITY:
            return node.r_e / node.n_s
        return node.r_e / node.n_s + (1.0 - <double>node.n_e / node.n_s) * best

    cdef double score_of(self, ArcadeState state) noexcept nogil:
        cdef int winner = state.c_winner(0)
        return state.c_score() - self.root_score + (
            self.terminal if winner == WON else -self.terminal if winner == LOST else 0.0)

    cdef bint on_trail(self) noexcept nogil:
        cdef Avatar avatar
        cdef int i
        self.state.c_avatar(&avatar)
        for i in range(min(self.n_trail, <int64_t>self.memory)):
            if self.trail[i][0] == avatar.x and self.trail[i][1] == avatar.y:
                return True
        return False

    def rows(self):
        """Simulations through each action and its r_M."""
        result = []
        for i in range(self.n):
            child = self.nodes[0].children[self.actions[i]]
            visits = self.nodes[child].n_s if child >= 0 else 0
            value = self.nodes[child].r_m if child >= 0 else 0.0
            result.append(ActionRow(self.action_name(self.actions[i]), visits, value))
        return result

    def tree(self):
        """The nodes in the order of their creation: (parent, n_s, n_e, R_e, r_M)."""
        return [
            (self.nodes[i].parent, self.nodes[i].n_s, self.nodes[i].n_e, self.nodes[i].r_e, self.nodes[i].r_m)
            for i in range(self.n_nodes)
        ]

    def notes(self):
        """Nodes of the tree."""
        return {"nodes": self.n_nodes}


ARCADE_SEARCHES.add("olets", Olets)
