"""`OpenLoop`: the four phases of an open-loop search (see open_loop.pxd).

    selection   from the root, until an action of the present situation has no child
    play-out    at first one of those actions, then any; so many ticks deep or to the end of the game
    expansion   a node for the first action of the play-out, or for all of them
    backup      the value of the last situation, to all nodes of the path

The actions of a situation are those that its avatar lists, without NIL.
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, realloc

from paidia.core.arcade cimport N_ACTIONS, NIL, ArcadeState
from paidia.core.model cimport move_t, play_alone
from paidia.core.rng cimport rng_below
from paidia.search.arcade.base cimport ArcadeSearch
from paidia.search.arcade.evaluation cimport forget_bounds, normalised, raw_value, widen
from paidia.search.arcade.open_tree cimport NONE, NOT_NOVEL, ROOT, UNSAFE, OpenNode, OpenTree, count, mean
from paidia.search.width.pool cimport StatePool

from paidia.search.arcade.result import ActionRow


cdef class OpenLoop(ArcadeSearch):
    """Base of the tree searches for video games."""

    def __dealloc__(self):
        free(self.behind)

    def reset(self):
        """A tree and a state that serve the whole game."""
        if self.tree is None:
            self.tree = OpenTree()
        self.tree.clear()
        self.state = self.game.initial_state()
        self.spare = self.game.initial_state()
        if self.n_waiting:
            self.pool = StatePool(self.game, limit=self.n_waiting)
            self.behind = <int32_t*>realloc(self.behind, self.n_waiting * sizeof(int32_t))
            if self.behind == NULL:
                raise MemoryError
        self.prepared = -1
        self.deepest = 0
        forget_bounds(&self.bounds)

    # ------------------------------------------------------------------------ a tick

    cdef void prepare(self) noexcept nogil:
        if not self.use_start:
            return
        self.begin_tick()
        while self.next_simulation():
            self.simulate()
        self.prepared = self.root.c_tick()

    cdef int decide(self) noexcept nogil:
        cdef int action
        self.begin_tick()
        while self.next_simulation():
            self.simulate()
        action = self.final_action()
        self.end_tick(action)
        return action

    cdef void begin_tick(self) noexcept nogil:
        if self.prepared >= 0 and self.prepared == self.root.c_tick():
            self.keep_tree(ROOT, 1.0)
        else:
            self.tree.clear()
            if self.n_waiting:
                self.pool.clear()
            self.deepest = 0
        self.prepared = -1
        widen(&self.bounds, raw_value(self.root))

    cdef void end_tick(self, int action) noexcept nogil:
        pass

    # ------------------------------------------------------------------------ a simulation

    cdef void simulate(self) noexcept nogil:
        cdef double result
        self.read_parameters()
        self.tree.reserve(MAX_DEPTH + N_ACTIONS)
        self.branch(self.state, self.root)
        self.select()
        self.play_out()
        result = self.result()
        self.backup(result)
        self.end_simulation(normalised(&self.bounds, result))

    cdef void select(self) noexcept nogil:
        cdef const move_t* actions = NULL
        cdef const OpenNode* node
        cdef int n, i, action
        cdef int longest = self.depth if self.total_depth else MAX_LENGTH - MAX_DEPTH
        cdef bint complete
        self.path[0] = ROOT
        self.length = 0
        while self.length < longest:
            n = self.state.c_legal(0, &actions)
            if n == 0:
                break
            node = &self.tree.nodes[self.path[self.length]]
            complete = True
            for i in range(n):
                if node.child[actions[i]] == NONE:
                    complete = False
                    break
            if not complete:
                break
            action = self.choose_child(self.path[self.length], actions, n)
            self.follow(action, self.tree.nodes[self.path[self.length]].child[action])
        self.selected = self.length

    cdef void play_out(self) noexcept nogil:
        cdef const move_t* actions = NULL
        cdef move_t untried[N_ACTIONS]
        cdef const OpenNode* node
        cdef int n, i, n_untried = 0
        cdef int end = min(self.depth if self.total_depth else self.length + self.depth, MAX_LENGTH)
        if self.length < end:
            n = self.state.c_legal(0, &actions)
            node = &self.tree.nodes[self.path[self.length]]
            for i in range(n):
                if node.child[actions[i]] == NONE:
                    untried[n_untried] = actions[i]
                    n_untried += 1
            if n_untried > 0:
                self.follow(self.choose_playout(untried, n_untried), NONE)
        while self.length < end:
            n = self.state.c_legal(0, &actions)
            if n == 0:
                break
            self.follow(self.choose_playout(actions, n), NONE)

    cdef void follow(self, int action, int32_t child) noexcept nogil:
        cdef int32_t place = self.tree.nodes[child].waiting if child != NONE else NONE
        if self.noting:
            self.leave(action)
        if place != NONE:
            self.state.c_copy(<ArcadeState>self.pool.states[place])
            self.tree.nodes[child].waiting = self.behind[place]
            self.pool.give_back(place)
        else:
            self.advance(self.state, action)
        self.played[self.length] = action
        self.length += 1
        self.path[self.length] = child
        if self.noting:
            self.arrive()

    cdef void put_aside(self, int32_t node, ArcadeState state) noexcept nogil:
        cdef int32_t place = self.pool.store(state)
        if place != NONE:
            self.behind[place] = self.tree.nodes[node].waiting
            self.tree.nodes[node].waiting = place

    cdef void expand(self) noexcept nogil:
        cdef int end = self.length if self.whole_playout else min(self.length, self.selected + 1)
        cdef int32_t child
        self.last_node = self.selected
        while self.last_node < end:
            child = self.tree.add(self.path[self.last_node], self.played[self.last_node])
            if child == NONE:
                break
            self.last_node += 1
            self.path[self.last_node] = child
        self.deepest = max(self.deepest, self.last_node)

    cdef void keep_tree(self, int32_t root, double factor) noexcept nogil:
        if self.n_waiting:
            self.pool.clear()       # what waits belongs to another tick's chance
        self.tree.keep(root, factor)

    cdef double result(self) noexcept nogil:
        cdef double value = self.evaluate(self.state)
        self.expand()
        return value

    # ------------------------------------------------------------------------ what subclasses change

    cdef void advance(self, ArcadeState state, int action) noexcept nogil:
        play_alone(state, action)
        self.advances += 1

    cdef void leave(self, int action) noexcept nogil:
        pass

    cdef void arrive(self) noexcept nogil:
        pass

    cdef void read_parameters(self) noexcept nogil:
        pass

    cdef int choose_child(self, int32_t node, const move_t* actions, int n) noexcept nogil:
        return actions[0]

    cdef int choose_playout(self, const move_t* actions, int n) noexcept nogil:
        return actions[rng_below(&self.rng, n)]

    cdef double evaluate(self, ArcadeState state) noexcept nogil:
        cdef double value = raw_value(state)
        widen(&self.bounds, value)
        return value

    cdef void credit(self, int32_t node, double value, double weight, double before) noexcept nogil:
        count(&self.tree.nodes[node], value, weight)

    cdef void backup(self, double result) noexcept nogil:
        cdef int i
        for i in range(self.last_node + 1):
            count(&self.tree.nodes[self.path[i]], result, 1.0)

    cdef int final_action(self) noexcept nogil:
        return NIL

    # ------------------------------------------------------------------------ for people and tests

    def rows(self):
        """Visits and mean value of the actions at the root."""
        cdef const OpenNode* node
        cdef int action
        cdef int32_t child
        rows = []
        for action in range(N_ACTIONS):
            child = self.tree.nodes[ROOT].child[action]
            if child != NONE:
                node = &self.tree.nodes[child]
                pruned = node.marks & (UNSAFE | NOT_NOVEL) != 0
                rows.append(ActionRow(self.action_name(action), node.visits, mean(node), pruned))
        return rows

    def notes(self):
        """How deep the tree is and the parameters of the last simulation."""
        cdef int i
        return {
            "depth": self.deepest,
            "parameters": {name: self.vector[i] for i, name in enumerate(self.PARAMETERS)},
        }

    def tree_nodes(self):
        """The whole tree as {actions from the root: (visits, total, highest, TD value, marks)}."""
        cdef int32_t i
        cdef const OpenNode* node
        paths = []
        nodes = {}
        for i in range(self.tree.size):
            node = &self.tree.nodes[i]
            paths.append((*paths[node.parent], node.action) if node.parent != NONE else ())
            nodes[paths[i]] = (node.visits, node.total, node.high, node.value, node.marks)
        return nodes

    @property
    def extremes(self):
        """Lowest and highest result of this game so far."""
        return self.bounds.low, self.bounds.high
