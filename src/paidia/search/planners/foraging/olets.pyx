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
the smallest reward). The tree starts anew for every move. Waiting (NIL)
is not tried.
"""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free

from paidia.core.arcade cimport ArcadeState, Avatar
from paidia.core.machine.memory cimport malloc
from paidia.core.model cimport LOST, NO_MOVE, WON, Situation, move_t, play_alone
from paidia.core.machine.maths cimport log
from paidia.core.machine.rng cimport rng_below
from paidia.search.frame.choice cimport Best, no_offer, offer
from paidia.search.evaluation.base cimport score_of
from paidia.search.frame.scale cimport forget_bounds, on_scale, widen

import msgspec

from paidia.core.errors import BadInput
from paidia.search.registry import SEARCHES
from paidia.search.frame.result import RootMove

cdef enum:
    MAX_NODES = 1 << 17     # a full tree is searched on but grows no further
    MAX_ROOM = 1 << 24      # children of all nodes together
    EXPLORATION = 0         # places in the vector of parameters
    TABOO = 1


class OletsSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`exploration` is a factor on the square root, 1 in the paper."""

    exploration: float = 1.0
    taboo: float = 0.1
    memory: int = 15
    terminal: float = 1000.0


cdef class Olets(RootSearch):
    """Open-loop expectimax tree search."""

    Settings = OletsSettings
    PARAMETERS = ("exploration", "taboo")

    def __init__(self, game, settings=None, *, controller=None):
        super().__init__(game, settings, controller=controller)
        if not 0 <= self.settings.memory <= MAX_MEMORY:
            raise BadInput(f"memory must lie between 0 and {MAX_MEMORY} ticks, not {self.settings.memory}")
        self.memory, self.terminal = self.settings.memory if self.sprites else 0, self.settings.terminal
        self.n_moves = game.n_moves
        self.max_nodes = max(1, min(<int64_t>MAX_NODES, MAX_ROOM // self.n_moves))
        self.nodes = <Node*>malloc(self.max_nodes * sizeof(Node))
        self.children = <int32_t*>malloc(<size_t>self.max_nodes * self.n_moves * sizeof(int32_t))
        if self.nodes == NULL or self.children == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.nodes)
        free(self.children)

    def reset(self):
        """No steps, no scores yet."""
        RootSearch.reset(self)
        self.n_trail = 0
        forget_bounds(&self.bounds)

    cdef move_t decide(self) noexcept nogil:
        cdef Avatar avatar
        if self.list_options(self.root) == 0:
            return NO_MOVE
        if self.memory > 0:
            (<ArcadeState>self.root).c_avatar(&avatar)
            self.trail[self.n_trail % self.memory][0] = avatar.x
            self.trail[self.n_trail % self.memory][1] = avatar.y
            self.n_trail += 1
        self.root_score = score_of(self.root, 0)
        self.n_nodes = 0
        self.new_node(-1)
        while self.next_simulation():
            self.simulate()
        return self.final_move()

    cdef move_t final_move(self) noexcept nogil:
        cdef int i, chosen = 0, equal = 0
        cdef int32_t child, most = 0
        for i in range(self.n_options):
            child = self.children[self.options[i].move]
            if child >= 0 and self.nodes[child].n_s > most:
                most, chosen, equal = self.nodes[child].n_s, i, 1
            elif child >= 0 and self.nodes[child].n_s == most:
                equal += 1
                if rng_below(&self.rng, equal) == 0:
                    chosen = i
        return self.options[chosen if equal else <int>rng_below(&self.rng, self.n_options)].move

    cdef void stepped(self, move_t action, int depth) noexcept nogil:
        pass

    cdef double bonus(self) noexcept nogil:
        return 0.0

    cdef int32_t new_node(self, int32_t parent) noexcept nogil:
        cdef Node* node
        cdef int i
        if self.n_nodes == self.max_nodes:
            return -1
        node = &self.nodes[self.n_nodes]
        node.parent = parent
        for i in range(self.n_moves):
            self.children[<Py_ssize_t>self.n_nodes * self.n_moves + i] = -1
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
            action = self.untried(node, actions, n)
            if action >= 0:
                child = self.new_node(node)
                if child < 0:
                    break
                self.children[<Py_ssize_t>node * self.n_moves + action] = child
                fresh = True
            else:
                action = self.select(node, actions, n)
                child = self.children[<Py_ssize_t>node * self.n_moves + action]
            play_alone(self.state, action)
            self.steps += 1
            depth += 1
            self.stepped(action, depth)
            node = child
        score = self.gain_of(self.state)
        widen(&self.bounds, score)
        self.end_simulation(score if self.controller.raw else on_scale(&self.bounds, score))
        score += self.bonus()
        if fresh and self.on_trail():
            score -= self.vector[TABOO]
        self.nodes[node].n_e += 1
        self.nodes[node].r_e += score
        while node >= 0:
            self.nodes[node].n_s += 1
            self.nodes[node].r_m = self.mixed(node)
            node = self.nodes[node].parent

    cdef int untried(self, int32_t node, const move_t* actions, int n) noexcept nogil:
        """A random action that has no child yet, -1 if all have one."""
        cdef int i, found = -1, count = 0
        for i in range(n):
            if self.children[<Py_ssize_t>node * self.n_moves + actions[i]] < 0:
                count += 1
                if rng_below(&self.rng, count) == 0:
                    found = actions[i]
        return found

    cdef int select(self, int32_t node, const move_t* actions, int n) noexcept nogil:
        cdef Best best = no_offer(actions[0])
        cdef const Node* child
        cdef double value
        cdef int i
        for i in range(n):
            child = &self.nodes[self.children[<Py_ssize_t>node * self.n_moves + actions[i]]]
            value = child.r_m + self.vector[EXPLORATION] * sqrt(log(<double>self.nodes[node].n_s) / child.n_s)
            offer(&best, &self.rng, value, actions[i])
        return best.chosen

    cdef double mixed(self, int32_t node) noexcept nogil:
        cdef const Node* here = &self.nodes[node]
        cdef const int32_t* children = self.children + <Py_ssize_t>node * self.n_moves
        cdef double best = -INFINITY
        cdef int i
        for i in range(self.n_moves):
            if children[i] >= 0:
                best = max(best, self.nodes[children[i]].r_m)
        if best == -INFINITY:
            return here.r_e / here.n_s
        return here.r_e / here.n_s + (1.0 - <double>here.n_e / here.n_s) * best

    cdef double gain_of(self, Situation state) noexcept nogil:
        cdef int winner = state.c_winner(0)
        return score_of(state, 0) - self.root_score + (
            self.terminal if winner == WON else -self.terminal if winner == LOST else 0.0)

    cdef bint on_trail(self) noexcept nogil:
        cdef Avatar avatar
        cdef int i
        if self.memory == 0:
            return False
        (<ArcadeState>self.state).c_avatar(&avatar)
        for i in range(min(self.n_trail, <int64_t>self.memory)):
            if self.trail[i][0] == avatar.x and self.trail[i][1] == avatar.y:
                return True
        return False

    def root_moves(self, int role=0):
        """Simulations through each move and its r_M."""
        result = []
        for i in range(self.n_options):
            child = self.children[self.options[i].move]
            visits = self.nodes[child].n_s if child >= 0 else 0
            value = self.nodes[child].r_m if child >= 0 else 0.0
            result.append(RootMove(self.options[i].move, visits, value))
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


SEARCHES.add("olets", Olets)
