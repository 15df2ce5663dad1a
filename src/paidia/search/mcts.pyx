"""Monte-Carlo Tree Search: the loop over simulations.

One simulation: from the root, every acting role selects a move in each node it meets (decoupled statistics per role),
until a position comes up that is not in the tree; that position becomes a node, the playout goes on from it, and the
goals are backed up along the path (spec 1.1, ggp_details section 3). The root itself is such a position in the first
simulation of a fresh tree. Between simulations a controller may change the parameter vectors; nothing else happens
there.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, malloc

import numpy as np

from paidia.core.bits cimport prefetch
from paidia.core.control cimport Controller
from paidia.core.game cimport Game, State
from paidia.core.model cimport NO_MOVE, move_t
from paidia.core.rng cimport rng_double
from paidia.search.backup.base cimport Backup, Path
from paidia.search.clock cimport now
from paidia.search.parameters cimport N_PARAMETERS, P_K, P_T
from paidia.search.playout.base cimport Playout
from paidia.search.selection.base cimport Selection
from paidia.search.simulation cimport Simulation
from paidia.search.statistics.actions cimport ActionTable
from paidia.search.statistics.amaf cimport AmafEntry, AmafTables
from paidia.search.statistics.ngrams cimport MAX_N, NgramTable
from paidia.search.strategy cimport Strategy
from paidia.search.tree cimport NONE, Edge, Node, Tree

from paidia.core.errors import BadInput
from paidia.core.seeds import spawn
from paidia.search.final_move.base import RootTable
from paidia.search.parameters import NAMES, Parameters
from paidia.search.result import RootMove, SearchResult

assert len(NAMES) == N_PARAMETERS


cdef class Mcts:
    """A search for one game, composed of a strategy for each phase. It lives as long as a match.

    Args:
        game: What is played.
        selection: Which move to try at a node of the tree.
        playout: How a simulation goes on below the tree.
        backup: What a simulation leaves behind.
        final_move: Which move is played in the end.
        parameters: Every number the strategies read, the same for all roles at the start.
        controller: Who changes the parameters between simulations; nobody if left out.
        reuse: Keep the tree between the moves of a game.
        keep_steps: With `reuse`, nodes not visited in the last `keep_steps` steps of the game are dropped.
        max_depth: No simulation has more joint moves than this; its last state's goals count then.
    """

    cdef readonly Game game
    cdef readonly Selection selection
    cdef readonly Playout playout
    cdef readonly Backup backup
    cdef readonly object final_move
    cdef readonly Controller controller
    cdef readonly Tree tree
    cdef readonly object parameters
    cdef public bint reuse
    cdef readonly int keep_steps, max_depth
    cdef readonly ActionTable actions   # shared statistics, None where no strategy needs them
    cdef readonly NgramTable ngrams
    cdef AmafTables amaf
    cdef State root, state
    cdef Simulation sim
    cdef Path path
    cdef int32_t root_node      # NONE until the first simulation has entered it
    cdef int step               # of the game; nodes are stamped with it
    cdef bint started
    cdef long long played       # joint moves of all simulations of the last search
    cdef readonly int deepest   # joint moves in the tree part of the deepest simulation of the last search

    def __init__(
        self, Game game, *, Selection selection, Playout playout, Backup backup, final_move, parameters=None,
        Controller controller=None, bint reuse=True, int keep_steps=2, int max_depth=500,
    ):
        if max_depth < 1:
            raise BadInput(f"max_depth must be 1 or larger, not {max_depth}")
        if keep_steps < 0:
            raise BadInput(f"keep_steps must be 0 or larger, not {keep_steps}")
        self.game, self.selection, self.playout, self.backup = game, selection, playout, backup
        self.final_move = final_move
        self.parameters = parameters if parameters is not None else Parameters()
        self.controller = controller if controller is not None else Controller()
        self.reuse, self.keep_steps, self.max_depth = reuse, keep_steps, max_depth
        strategies = self._strategies()
        if any([(<Strategy?>strategy).bound for strategy in strategies]):
            raise BadInput("a strategy object serves one search only; make a new one for each")
        needs = {need for strategy in strategies for need in strategy.needs}
        unknown = needs - {"actions", "ngrams", "amaf", "amaf-once", "squares", "bounds"}
        if unknown:
            raise BadInput(f"a strategy needs statistics that nobody keeps: {', '.join(sorted(unknown))}")
        self.tree = Tree(game.n_roles, squares="squares" in needs, bounds="bounds" in needs)
        self.actions = ActionTable(game.n_roles, game.n_moves) if "actions" in needs else None
        # A controller may ask for longer N-grams than the parameters do.
        longest = MAX_N if controller is not None else int(self.parameters.n)
        self.ngrams = NgramTable(longest) if "ngrams" in needs else None
        if {"amaf", "amaf-once"} <= needs:
            raise BadInput("one strategy counts a move in AMAF each time, another once per simulation: they do not go together")
        once = game.n_roles * game.n_moves if "amaf-once" in needs else 0
        self.amaf = AmafTables(keys=once) if {"amaf", "amaf-once"} & needs else None
        self.root, self.state = game.initial_state(), game.initial_state()
        self.sim.n_roles, self.sim.n_moves = game.n_roles, game.n_moves
        self.sim.limit = max_depth
        self.sim.record = any(strategy.records for strategy in strategies)
        self.sim.moves = <move_t*>malloc((<size_t>max_depth + 1) * game.n_roles * sizeof(move_t))
        self.sim.vectors = <double*>malloc(<size_t>game.n_roles * N_PARAMETERS * sizeof(double))
        self.path.nodes = <int32_t*>malloc((<size_t>max_depth + 1) * sizeof(int32_t))
        self.path.edges = <int32_t*>malloc((<size_t>max_depth + 1) * game.n_roles * sizeof(int32_t))
        if (self.sim.moves == NULL or self.sim.vectors == NULL or self.path.nodes == NULL
                or self.path.edges == NULL):
            raise MemoryError()
        self._bind()
        self.begin_game(0)

    def __dealloc__(self):
        free(self.sim.moves)
        free(self.sim.vectors)
        free(self.path.nodes)
        free(self.path.edges)

    def _strategies(self):
        return [self.selection, self.playout, self.backup]

    def _bind(self):
        cdef Strategy strategy
        for strategy in self._strategies():
            strategy.bound = True
            strategy.controller = self.controller
            strategy.actions, strategy.ngrams, strategy.amaf = self.actions, self.ngrams, self.amaf

    @property
    def vectors(self):
        """The parameters in force, a live array [role, parameter] in the order of `parameters.NAMES`."""
        cdef Py_ssize_t size = <Py_ssize_t>self.game.n_roles * N_PARAMETERS
        return np.asarray(<double[:size]>self.sim.vectors).reshape(self.game.n_roles, N_PARAMETERS)

    def begin_game(self, seed):
        """A new match: forget everything; `seed` decides all that is random from now on."""
        self.sim.rng.state = spawn(seed, 0)
        self.vectors[:] = self.parameters.vector()
        self._forget_tree()
        if self.actions is not None:
            self.actions.clear()
        if self.ngrams is not None:
            self.ngrams.clear()
        for strategy in self._strategies():
            strategy.begin_game(self.game)
        self.controller.begin_game(self.game.n_roles, list(NAMES), spawn(seed, 1))
        self.started = False
        self.step = 0

    def _forget_tree(self):
        self.tree.clear()
        self.root_node = NONE
        if self.amaf is not None:
            self.amaf.clear()

    def search(self, State state, budget, *, int role, int step=0):
        """Search from `state` until the budget is used, and choose a move for `role`.

        Args:
            state: The present position; it is not changed.
            budget: A `Budget`.
            role: Whose move is wanted.
            step: Number of joint moves played in the game so far. It must not fall within a game.
        """
        self._prepare(state, role, step)
        began = now()
        done = self._run(budget.simulations, budget.seconds)
        seconds = now() - began
        if self.root_node == NONE or self.tree.nodes[self.root_node].first == NONE:
            return self._without_tree(role, done, seconds)
        return self._result(role, done, seconds)

    def _prepare(self, State state, int role, int step):
        if state.game is not self.game:
            raise BadInput("the state belongs to another game than the search")
        if state.terminal:
            raise BadInput("the game is over: there is nothing to search for")
        if not 0 <= role < self.game.n_roles:
            raise BadInput(f"{self.game.id} has roles 0 to {self.game.n_roles - 1}, not {role}")
        if step < self.step:
            raise BadInput(f"step {step} lies before step {self.step}; call begin_game first")
        self.root.copy_from(state)
        turn = not self.started or step > self.step
        if self.started and step > self.step:
            for strategy in self._strategies():
                strategy.begin_turn(step)
        self.step = step
        if not self.reuse:
            self._forget_tree()
        elif turn and self.started:
            kept = self.tree.keep_since(step - self.keep_steps, self.amaf)
            if kept is not self.amaf:
                self.amaf = kept
                self._bind()
        self.started = True
        self.root_node = self.tree.find(self.root.c_key())
        self.controller.begin_turn(step)
        for strategy in self._strategies():
            strategy.begin_search(self.root, role)

    def _run(self, long long most, double seconds):
        """Simulate until `most` simulations are done or `seconds` have passed (0: no such limit)."""
        cdef long long done = 0, next_look = 1, stride = 1
        cdef double end = now() + seconds, last = now(), time
        self.deepest = 0
        self.played = 0
        with nogil:
            while most == 0 or done < most:
                self.simulate()
                done += 1
                if self.state.failed or self.root.failed or self.selection.failed or self.playout.failed:
                    break
                if done == next_look:
                    # Look at the clock about every 50 microseconds, however fast the game is; at signals now and then.
                    time = now()
                    if seconds > 0.0 and time >= end:
                        break
                    if time - last < 50e-6 and stride < 4096:
                        stride *= 2
                    elif time - last > 100e-6 and stride > 1:
                        stride //= 2
                    last = time
                    next_look = done + stride
                    if stride == 1 or (done & 1023) < stride:
                        with gil:
                            PyErr_CheckSignals()     # lets Ctrl-C through
        self._raise_failures()
        return done

    def _raise_failures(self):
        """Raise what rules or strategies written in Python have raised; what that simulation left in the tree is void."""
        failing = [
            part for part in (self.state, self.root, self.selection, self.playout)
            if ((<State>part).failed if isinstance(part, State) else (<Strategy?>part).failed)
        ]
        if not failing:
            return
        self._forget_tree()
        first = None
        for part in failing:        # all are asked, so that none comes up again in a later search
            try:
                part.check()
            except BaseException as error:
                first = first or error
        raise first

    cdef void simulate(self) noexcept nogil:
        """One simulation."""
        cdef Simulation* sim = &self.sim
        cdef uint64_t key
        cdef int32_t node, child, edge
        cdef bint new = False, proven = False
        cdef int role
        self.controller.begin_simulation(sim.vectors, N_PARAMETERS)
        self.selection.begin_simulation(sim)
        sim.length = 0
        self.path.length = 0
        self.state.c_copy(self.root)
        node = self.root_node
        if node == NONE:
            node = self.root_node = self.tree.add_node(self.state, self.root.c_key(), self.step)
            new = True
        while not new:
            self.tree.nodes[node].stamp = self.step
            if self.tree.nodes[node].terminal or sim.length >= sim.limit:
                break
            if self.tree.bounds != NULL and self.path.length and self.tree.proven(node):
                proven = True
                break
            if self.tree.nodes[node].first == NONE and not self.expand(node):
                break
            edge = self.choose_moves(node)
            child = NONE if edge == NONE else self.tree.edges[edge].child
            if child == NONE:
                key = self.state.c_key()
                child = self.tree.find(key)
                if child == NONE:
                    child = self.tree.add_node(self.state, key, self.step)
                    new = True
                if edge != NONE and child != NONE:
                    self.tree.edges[edge].child = child
            node = child
        sim.tree_length = sim.length
        self.path.leaf = node
        if proven:
            for role in range(sim.n_roles):
                sim.goals[role] = self.tree.bounds[(<Py_ssize_t>node * sim.n_roles + role) * 2]
        else:
            if node == NONE or not self.tree.nodes[node].terminal:
                self.playout.run(self.state, sim)
            self.state.c_goals(sim.goals)
            self.backup.score(sim)
        self.learn(node if new else NONE)

    cdef bint expand(self, int32_t node) noexcept nogil:
        if not self.tree.expand(node, self.state):
            return False
        if self.amaf is not None:
            self.tree.nodes[node].amaf = self.amaf.unfold(self.tree.nodes[node].amaf, &self.sim)
        return True

    cdef int32_t choose_moves(self, int32_t node) noexcept nogil:
        """Every acting role chooses, and the joint move is played; returns the edge taken if one role acts alone."""
        cdef Simulation* sim = &self.sim
        cdef const Node* here = &self.tree.nodes[node]
        cdef int n_roles = sim.n_roles, role
        cdef int32_t first = here.first, end = here.first + here.n_edges, n, edge = NONE
        cdef move_t* joint = sim.moves + <Py_ssize_t>sim.length * n_roles
        cdef int32_t* chosen = self.path.edges + <Py_ssize_t>self.path.length * n_roles
        for role in range(n_roles):
            joint[role] = NO_MOVE
            chosen[role] = NONE
        while first < end:
            role = here.mover
            n = end - first
            if role < 0:        # the edges of one role after another
                role = self.tree.edges[first].role
                n = 1
                while first + n < end and self.tree.edges[first + n].role == role:
                    n += 1
            if self.controller.per_state:
                self.controller.fresh(role, sim.vectors + role * N_PARAMETERS)
            self.selection.enter(self.tree, node, role, sim)
            edge = first
            if n > 1:
                if here.visits < sim.vectors[role * N_PARAMETERS + P_T]:
                    edge += self.choose_by_playout(role, first, n)
                else:
                    edge += self.selection.select(self.tree, node, role, first, n, sim)
            joint[role] = self.tree.edges[edge].move
            chosen[role] = edge
            first += n
        if here.mover >= 0 and edge != NONE and self.tree.edges[edge].child != NONE:
            prefetch(&self.tree.nodes[self.tree.edges[edge].child])
        self.path.nodes[self.path.length] = node
        self.path.length += 1
        self.state.c_play(joint)
        sim.length += 1
        return edge if here.mover >= 0 else NONE

    cdef int choose_by_playout(self, int role, int32_t first, int n) noexcept nogil:
        """The playout strategy chooses in the tree (parameter T), among the moves in the order of the edges."""
        cdef const move_t* moves = NULL
        self.state.c_legal(role, &moves)
        return self.playout.choose(self.state, &self.sim, role, moves, n)

    cdef void learn(self, int32_t leaf) noexcept nogil:
        """Enter the result everywhere: tree, shared statistics, strategies, controller."""
        cdef Simulation* sim = &self.sim
        cdef int i
        self.played += sim.length
        self.backup.update(self.tree, &self.path, sim)
        if self.path.length > self.deepest:
            self.deepest = self.path.length
        if self.amaf is not None:
            if self.amaf.keys:
                self.amaf.find_repeats(sim)
            if leaf != NONE and not self.tree.nodes[leaf].terminal:
                self.tree.nodes[leaf].amaf = self.amaf.remember(sim, sim.tree_length)
            for i in range(self.path.length):
                self.amaf.update(self.tree.nodes[self.path.nodes[i]].amaf, sim, i)
        if self.actions is not None:
            self.actions.update(sim)
        if self.ngrams is not None:
            self.ngrams.update(sim)
        self.playout.after_simulation(self.root, sim)
        self.selection.after_simulation(self.root, sim)
        self.controller.end_simulation(sim.goals)

    # ---------------------------------------------------------------- what came out

    def root_moves(self, int role):
        """The root's statistics for a role after a search, in generation order."""
        cdef int32_t node = self.root_node
        cdef Edge edge
        cdef int32_t i
        rows = []
        if node == NONE or self.tree.nodes[node].first == NONE:
            return rows
        for i in range(self.tree.nodes[node].n_edges):
            edge = self.tree.edges[self.tree.nodes[node].first + i]
            if edge.role == role:
                mean = edge.sum / edge.visits if edge.visits else 0.0
                rows.append(RootMove(move=edge.move, visits=edge.visits, mean=mean))
        return rows

    def _result(self, role, done, seconds):
        rows = self.root_moves(role)
        if not rows:        # the role does not act here
            return SearchResult(None, [], done, seconds, self.played, self.deepest, self.tree.n_nodes)
        chosen = self.final_move.choose_at(self._root_table(role, rows), rng_double(&self.sim.rng))
        return SearchResult(rows[chosen].move, rows, done, seconds, self.played, self.deepest, self.tree.n_nodes)

    def _root_table(self, int role, rows):
        """All that is known of the root's moves for a role."""
        cdef const Node* here = &self.tree.nodes[self.root_node]
        cdef int32_t first = here.first
        cdef Py_ssize_t at
        cdef int i, n = len(rows)
        cdef int[::1] marks = np.zeros(n, dtype=np.intc)
        cdef const AmafEntry* entry
        cdef int32_t child
        while self.tree.edges[first].role != role:
            first += 1
        table = RootTable(
            visits=np.array([row.visits for row in rows], dtype=np.int32),
            means=np.array([row.mean for row in rows]),
            node_visits=here.visits,
            K=self.sim.vectors[role * N_PARAMETERS + P_K],
            amaf=np.full(n, np.nan), low=np.zeros(n), high=np.ones(n), open=np.ones(n, dtype=bool),
        )
        if self.amaf is not None:
            for i in range(n):
                entry = self.amaf.find(here.amaf, role, self.sim.n_moves, self.tree.edges[first + i].move)
                if entry != NULL:
                    table.amaf[i] = entry.sum / entry.visits
        if self.tree.bounds != NULL and here.mover == role:
            self.tree.open_moves(self.root_node, role, first, n, &marks[0])
            table.open[:] = marks
            for i in range(n):
                child = self.tree.edges[first + i].child
                if child != NONE:
                    at = (<Py_ssize_t>child * self.game.n_roles + role) * 2
                    table.low[i], table.high[i] = self.tree.bounds[at], self.tree.bounds[at + 1]
        return table

    def _without_tree(self, role, done, seconds):
        """One simulation only, or no memory: any legal move."""
        legal = self.root.legal(role)
        move = legal[int(rng_double(&self.sim.rng) * len(legal))] if legal else None
        rows = [RootMove(move=m, visits=0, mean=0.0) for m in legal]
        return SearchResult(move, rows, done, seconds, self.played, 0, self.tree.n_nodes)
