"""The tree search of the thesis and its enhancements, each with a switch of its own.

    selection   Q + C * sqrt(ln n_P / n) + Q(a) * W / (n - n * Q + 1)
    play-out    uniform, or by N-grams (nst); up to `depth` ticks from where it starts
    expansion   a node for every action of the play-out
    final       highest mean

Q is the mean of the child on the scale of all results of this game; with `td` the estimate V + X(s) in its place; in a
deterministic game (dgd) mixed with the highest result. The last term is there with `ph`. The time before the game is used
for simulations. In a tick: statistics of actions fade; old tree (tr), then bfti, then simulations with nbp in selection, la
after a lost play-out and kbe in the value of a situation; the action.

Soemers 2016 (Enhancements for Real-Time Monte-Carlo Tree Search in General Video Game Playing), chapters 3 and 4. With `td`,
V + X(s) may leave the scale of the results: it is cut at its ends. Ties are broken at random.
"""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int32_t

from paidia.core.arcade cimport N_ACTIONS, NIL, ArcadeState
from paidia.core.control cimport Controller
from paidia.core.model cimport LOST, move_t, play_alone
from paidia.core.maths cimport log
from paidia.core.rng cimport rng_below
from paidia.search.arcade.action_statistics cimport ActionStatistics
from paidia.search.arcade.bfti cimport initialise
from paidia.search.arcade.choice cimport Best, no_offer, offer
from paidia.search.arcade.determinism cimport looks_deterministic
from paidia.search.arcade.evaluation cimport normalised, raw_value, widen
from paidia.search.arcade.knowledge cimport Knowledge
from paidia.search.arcade.loss_avoidance cimport avoid_loss
from paidia.search.arcade.novelty_pruning cimport NoveltyPruning
from paidia.search.arcade.open_loop cimport OpenLoop
from paidia.search.arcade.open_tree cimport NONE, NOT_NOVEL, ROOT, TESTED, UNSAFE, OpenNode, count, mean
from paidia.search.arcade.temporal_difference cimport TD_OFF, TDKBE, TDMS, on_the_way, td_backup
from paidia.search.statistics.ngrams cimport MAX_N

from paidia.search.arcade.mcts_settings import MctsSettings
from paidia.search.arcade.registry import ARCADE_SEARCHES

TD_KINDS = ("off", "td", "tdir", "tdms", "tdkbe")       # in the order of temporal_difference.pxd

cdef enum:              # places in the parameter vector
    C = 0
    W = 1
    EPSILON = 2
    N = 3
    K = 4

cdef enum:
    WAITING = 128       # states that may wait in the tree for a simulation


cdef class ArcadeMcts(OpenLoop):
    """Tree search with switches."""

    Settings = MctsSettings
    PARAMETERS = ("C", "W", "epsilon", "n", "k")

    def __init__(self, settings=None, *, Controller controller=None):
        super().__init__(settings, controller=controller)
        given = self.settings
        self.total_depth = False
        self.whole_playout = True
        self.use_start = True
        self.depth = given.depth
        self.bfti, self.la, self.nbp, self.ph, self.nst = given.bfti, given.la, given.nbp, given.ph, given.nst
        self.tr, self.kbe, self.dgd = given.tr, given.kbe, given.dgd
        self.tr_bfti, self.kbe_always = given.tr_bfti, given.kbe_always
        self.td = TD_KINDS.index(given.td)
        self.bfti_states = given.bfti_states
        self.gamma, self.decay, self.td_lambda, self.mixmax = given.gamma, given.decay, given.td_lambda, given.mixmax
        self.noting = self.ph or self.nst or self.td != TD_OFF
        if self.bfti or self.nbp:
            self.n_waiting = WAITING + N_ACTIONS * self.bfti_states

    def reset(self):
        """Forget everything learned in another game."""
        OpenLoop.reset(self)
        if self.nbp:
            self.novelty = NoveltyPruning(self.game)
        if self.ph or self.nst:
            fixed = type(self.controller) is Controller
            self.statistics = ActionStatistics(self.game, (self.settings.n if fixed else MAX_N) if self.nst else 1)
        if self.kbe:
            self.knowledge = Knowledge()
            self.knowledge.begin_game(self.game, self.root)
        self.classified = self.deterministic = False
        self.last_tick = -1
        self.last_action = NIL

    # ------------------------------------------------------------------------ a tick

    cdef void prepare(self) noexcept nogil:
        self.before_the_game = True
        OpenLoop.prepare(self)
        self.before_the_game = False

    cdef void begin_tick(self) noexcept nogil:
        cdef const move_t* actions = NULL
        cdef int n
        if self.last_tick >= 0 and (self.ph or self.nst):   # here and not at the end of a tick: its time is up by then
            self.statistics.fade(self.decay)
        if not self.classified:
            self.classified = True
            if self.dgd:
                self.deterministic = looks_deterministic(
                    self.root, self.state, &self.rng, &self.clock, &self.advances)
        if not self.reuse():
            OpenLoop.begin_tick(self)
            if self.nbp:
                self.novelty.keep(self.tree)
        self.root_value = self.values[0] = raw_value(self.root)
        widen(&self.bounds, self.root_value)
        if self.kbe and not self.before_the_game:
            self.knowledge.begin_tick(self.root)
        if self.td == TDKBE:
            self.values[0] = self.evaluate(self.root)
        if self.bfti:
            n = self.root.c_legal(0, &actions)
            if self.tr_bfti or not self.tr or not self.complete(ROOT, actions, n):
                initialise(self, 1 if self.deterministic else self.bfti_states)

    cdef bint reuse(self) noexcept nogil:
        """Take over the part of the last tick's tree that is still of use."""
        cdef OpenNode* nodes = self.tree.nodes
        cdef int32_t child = nodes[ROOT].child[self.last_action]
        cdef int a
        if not self.tr or self.last_tick < 0 or child == NONE or self.root.c_tick() != self.last_tick + 1:
            return False
        self.keep_tree(child, 1.0 if self.deterministic else self.gamma)
        if self.nbp:
            if not self.deterministic:      # the tests of the new root's children were of another tick's chance
                nodes[ROOT].marks = 0
                nodes[ROOT].memory = NONE
                for a in range(N_ACTIONS):
                    child = nodes[ROOT].child[a]
                    if child != NONE:
                        nodes[child].marks &= ~NOT_NOVEL
            self.novelty.keep(self.tree)
        self.deepest = max(0, self.deepest - 1)
        return True

    cdef void end_tick(self, int action) noexcept nogil:
        self.last_tick = self.root.c_tick()
        self.last_action = action

    # ------------------------------------------------------------------------ situations

    cdef void advance(self, ArcadeState state, int action) noexcept nogil:
        cdef double before
        cdef int met
        self.advances += 1
        if not self.kbe:
            play_alone(state, action)
            return
        before = state.c_score()
        met = state.c_n_collisions()
        play_alone(state, action)
        self.knowledge.observe(state, met, state.c_score() - before)

    cdef double evaluate(self, ArcadeState state) noexcept nogil:
        cdef double value = raw_value(state)
        if self.kbe and (self.kbe_always or value == self.root_value):
            value += self.knowledge.normalised(self.knowledge.evaluate(state))
        widen(&self.bounds, value)
        return value

    cdef void leave(self, int action) noexcept nogil:
        if self.ph or self.nst:
            self.statistics.moves[self.length] = self.statistics.cell(self.state) + action

    cdef void arrive(self) noexcept nogil:
        if self.td == TDKBE:
            self.values[self.length] = self.evaluate(self.state)
        elif self.td != TD_OFF:
            self.values[self.length] = raw_value(self.state)

    # ------------------------------------------------------------------------ selection

    cdef bint complete(self, int32_t node, const move_t* actions, int n) noexcept nogil:
        cdef int i
        for i in range(n):
            if self.tree.nodes[node].child[actions[i]] == NONE:
                return False
        return True

    cdef int candidates(self, int32_t node, const move_t* actions, int n, move_t* out) noexcept nogil:
        """The actions that selection may take: safe ones, without those marked while the node looks safe."""
        cdef const OpenNode* parent = &self.tree.nodes[node]
        cdef int i, found = 0
        cdef int marks = UNSAFE
        if self.nbp and normalised(&self.bounds, mean(parent)) >= 0.5:
            marks |= NOT_NOVEL
        while True:
            for i in range(n):
                if not self.tree.nodes[parent.child[actions[i]]].marks & marks:
                    out[found] = actions[i]
                    found += 1
            if found or marks == 0:
                return found
            marks = UNSAFE if marks != UNSAFE else 0

    cdef double child_value(self, int32_t child) noexcept nogil:
        """Q of a child of the present node, in [0, 1]."""
        cdef const OpenNode* node = &self.tree.nodes[child]
        if self.td == TD_OFF:
            return normalised(&self.bounds, mean(node))
        return min(1.0, max(0.0, normalised(&self.bounds, node.value + self.values[self.length])))

    cdef int choose_child(self, int32_t node, const move_t* actions, int n) noexcept nogil:
        cdef const OpenNode* parent = &self.tree.nodes[node]
        cdef const OpenNode* child
        cdef move_t choice[N_ACTIONS]
        cdef Best best = no_offer(actions[0])
        cdef double logarithm, value, q
        cdef int i
        cdef move_t cell = 0
        if self.nbp and not parent.marks & TESTED:
            self.novelty.test(self, node, actions, n)
        n = self.candidates(node, actions, n, choice)
        logarithm = log(parent.visits) if parent.visits > 1 else 0.0
        if self.ph:
            cell = self.statistics.cell(self.state)
        for i in range(n):
            child = &self.tree.nodes[parent.child[choice[i]]]
            value = INFINITY
            if child.visits > 0:
                q = self.child_value(parent.child[choice[i]])
                value = q
                if self.deterministic:
                    value = (1 - self.mixmax) * q + self.mixmax * normalised(&self.bounds, child.high)
                value += self.vector[C] * sqrt(logarithm / child.visits)
                if self.ph:
                    value += (
                        normalised(&self.bounds, self.statistics.mean(cell + choice[i], self.bounds.high))
                        * self.vector[W] / (child.visits - child.visits * q + 1)
                    )
            offer(&best, &self.rng, value, choice[i])
        return best.chosen

    # ------------------------------------------------------------------------ play-out and backup

    cdef void read_parameters(self) noexcept nogil:
        if self.nbp:
            self.novelty.reserve()

    cdef int choose_playout(self, const move_t* actions, int n) noexcept nogil:
        if self.nst:
            return self.statistics.choose(
                &self.rng, self.state, self.length, actions, n, self.vector[EPSILON], <int>self.vector[N],
                self.vector[K], self.bounds.high)
        return actions[rng_below(&self.rng, n)]

    cdef double result(self) noexcept nogil:
        cdef double value = self.evaluate(self.state)
        if self.la and self.length > self.selected and self.state.c_winner(0) == LOST:
            return avoid_loss(self, value)
        self.expand()
        return value

    cdef void credit(self, int32_t node, double value, double weight, double before) noexcept nogil:
        cdef OpenNode* record = &self.tree.nodes[node]
        count(record, value, weight)
        if self.td != TD_OFF and node != ROOT:
            value -= before if on_the_way(self.td) else self.values[0]
            record.value += (value - record.value) * weight / record.visits

    cdef void backup(self, double result) noexcept nogil:
        OpenLoop.backup(self, result)
        if self.td != TD_OFF:
            td_backup(self.tree.nodes, self.path, self.last_node, self.values, result, self.td, self.td_lambda)
        if self.ph or self.nst:
            self.statistics.update(self.length, result)

    # ------------------------------------------------------------------------ final action

    cdef double final_value(self, int32_t child) noexcept nogil:
        return self.tree.nodes[child].value if self.td == TDMS else mean(&self.tree.nodes[child])

    cdef int best_child(self, bint pruned) noexcept nogil:
        """The best safe action among those marked as not novel, or among the others; -1 if there is none."""
        cdef const OpenNode* root = &self.tree.nodes[ROOT]
        cdef const OpenNode* child
        cdef Best best = no_offer(-1)
        cdef int action
        for action in range(N_ACTIONS):
            if root.child[action] == NONE:
                continue
            child = &self.tree.nodes[root.child[action]]
            if child.marks & UNSAFE or child.visits <= 0 or (child.marks & NOT_NOVEL != 0) != pruned:
                continue
            if pruned and child.visits <= 1:        # too little to overrule the mark
                continue
            offer(&best, &self.rng, self.final_value(root.child[action]), action)
        return best.chosen

    cdef int final_action(self) noexcept nogil:
        cdef const OpenNode* root = &self.tree.nodes[ROOT]
        cdef int novel = self.best_child(False), other, action
        if novel >= 0 and not self.nbp:
            return novel
        if novel >= 0 and normalised(&self.bounds, mean(&self.tree.nodes[root.child[novel]])) >= 0.5:
            return novel
        other = self.best_child(True)
        if novel < 0 and other < 0:         # nothing was visited: any safe action
            for action in range(N_ACTIONS):
                if root.child[action] != NONE and not self.tree.nodes[root.child[action]].marks & UNSAFE:
                    return action
            return NIL
        if other >= 0 and (
            novel < 0 or self.final_value(root.child[other]) > self.final_value(root.child[novel])
        ):
            return other
        return novel

    def notes(self):
        """Depth, parameters, and what the enhancements have found out."""
        notes = OpenLoop.notes(self)
        notes["nodes"] = len(self.tree)
        if self.dgd:
            notes["deterministic"] = self.deterministic
        if self.kbe:
            notes["weights"] = self.knowledge.weights()
        return notes


ARCADE_SEARCHES.add("mcts", ArcadeMcts)
