"""Monte-Carlo Tree Search: the loop over simulations, for every kind of game.

One simulation: from the root, every acting role selects a move in each node it meets (decoupled statistics per role), until
the tree ends; the playout goes on from there, and what comes out is backed up along the path. Between simulations a controller
may change the parameter vectors; nothing else happens there.

The nodes stand for positions (closed loop), or for sequences of moves (open loop) where chance may lead anywhere: then every
simulation plays the moves of its path again on a copy of the root. A simulation ends in a goal, or, where values have no
bounds, in an evaluation at its horizon, which is brought to the scale of all that were seen.

What selection does with moves that were never tried (`expansion`):

    selection   they compete, by their first-play value; a new position or sequence becomes a node, the playout goes on from it
    playout     selection ends at the first node that has some; the playout strategy chooses among them
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, malloc

import numpy as np

from paidia.core.bits cimport mix, prefetch
from paidia.core.control cimport Controller
from paidia.core.model cimport NO_MOVE, Rules, Situation, move_t
from paidia.core.rng cimport Rng, rng_below, rng_double
from paidia.search.backup.base cimport EVALUATED, Backup
from paidia.search.evaluation.base cimport Evaluation, plain_value
from paidia.search.parameters cimport N_PARAMETERS, P_D, P_K, P_T
from paidia.search.playout.base cimport Playout
from paidia.search.pool cimport StatePool
from paidia.search.pruning.base cimport Pruning
from paidia.search.repair.base cimport Repair
from paidia.search.root.base cimport RootStrategy
from paidia.search.scale cimport forget_bounds, on_scale, widen
from paidia.search.selection.base cimport Selection
from paidia.search.simulation cimport Simulation
from paidia.search.simulator cimport Simulator
from paidia.search.statistics.actions cimport ActionTable
from paidia.search.statistics.amaf cimport AmafEntry, AmafTables
from paidia.search.statistics.ngrams cimport MAX_N, NgramTable
from paidia.search.strategy cimport Strategy
from paidia.search.tree cimport NONE, NOT_NOVEL, UNSAFE, Node, Tree, mean_of, node_visits

from paidia.core.errors import BadInput
from paidia.search.final_move.base import RootTable
from paidia.search.parameters import NAMES, Parameters
from paidia.search.registry import EVALUATIONS
from paidia.search.result import RootMove, SearchResult

assert len(NAMES) == N_PARAMETERS

STATISTICS = {
    "actions", "ngrams", "long-ngrams", "amaf", "amaf-once", "squares", "bounds", "estimates", "sequences", "waiting",
}

cdef enum:
    HORIZON = 10        # of simulations whose values have no bounds, unless the parameter D says otherwise
    WAITING = 128       # situations that may wait in the tree, besides those of the root's moves


cdef class Draws:
    """The generator of a search, for strategies in Python."""

    cdef Rng* rng
    cdef object owner       # whose generator it is

    def random(self):
        """A number in [0, 1)."""
        return rng_double(self.rng)

    def below(self, int n):
        """A number from 0 to n - 1."""
        return rng_below(self.rng, n)


cdef class Mcts(Simulator):
    """A search for one game, composed of a strategy for each phase. It lives as long as a match.

    Args:
        game: What is played.
        selection: Which move to try at a node of the tree.
        playout: How a simulation goes on below the tree.
        backup: What a simulation leaves behind.
        final_move: Which move is played in the end.
        evaluation: What the end of a simulation is worth; goals, or the plain value where there are none, if left out.
        pruning: What selection leaves out.
        root: What happens before the first simulation.
        repair: What is done about a simulation that ended badly.
        parameters: Every number the strategies read, the same for all roles at the start.
        controller: Who changes the parameters between simulations; nobody if left out.
        tree: "positions" or "sequences"; "" takes sequences where there is chance or a strategy needs them.
        expansion: "selection" or "playout", see above.
        growth: "one" node in each simulation, or one for every move of the "playout".
        horizon: Whether the parameter D counts from the "root" or from the "leaf" of the tree.
        use_start: Search in the time before the first move.
        reuse: Keep a tree of positions between the moves of a game.
        keep_steps: With `reuse`, nodes not visited in the last `keep_steps` steps of the game are dropped.
        max_depth: No simulation has more joint moves than this; its last state's goals count then.
    """

    PARAMETERS = NAMES

    cdef readonly Selection selection
    cdef readonly Playout playout
    cdef readonly object final_move
    cdef readonly Repair repair
    cdef readonly list pruning, roots
    cdef readonly object parameters
    cdef public bint reuse
    cdef readonly bint use_start
    cdef readonly int keep_steps, max_depth
    cdef readonly ActionTable actions   # shared statistics, None where no strategy needs them
    cdef readonly NgramTable ngrams
    cdef AmafTables amaf
    cdef readonly int deepest   # joint moves in the tree part of the deepest simulation of the last search
    cdef bint from_root         # the horizon
    cdef bint untried_first     # the playout strategy chooses among moves that were never tried
    cdef int unbounded_horizon
    cdef int32_t* candidates    # edges of the moves that are legal at the present node
    cdef move_t* untried
    cdef int n_candidates
    cdef bint aligned           # these are just the node's edges
    cdef bint marking           # some strategy marks moves that are left out
    cdef Pruning prunes         # the one pruning strategy, or None: what nogil code asks
    cdef object previous        # step and move of the last search

    def __init__(
        self, Rules game not None, *, Selection selection, Playout playout, Backup backup, final_move,
        Evaluation evaluation=None, pruning=(), root=(), Repair repair=None, parameters=None,
        Controller controller=None, str tree="", str expansion="selection", str growth="one", str horizon="leaf",
        bint use_start=True, bint reuse=True, int keep_steps=2, int max_depth=500,
    ):
        if not 1 <= max_depth:
            raise BadInput(f"max_depth must be 1 or larger, not {max_depth}")
        if keep_steps < 0:
            raise BadInput(f"keep_steps must be 0 or larger, not {keep_steps}")
        for name, value, known in (
            ("tree", tree, ("", "positions", "sequences")), ("expansion", expansion, ("selection", "playout")),
            ("growth", growth, ("one", "playout")), ("horizon", horizon, ("leaf", "root")),
        ):
            if value not in known:
                raise BadInput(f"{name} is one of {', '.join(repr(k) for k in known)}, not {value!r}")
        self.selection, self.playout, self.backup, self.final_move = selection, playout, backup, final_move
        self.pruning, self.roots, self.repair = list(pruning), list(root), repair
        if len(self.pruning) > 1:
            raise BadInput("a search has one pruning strategy at most")
        self.prunes = self.pruning[0] if self.pruning else None
        if evaluation is None and backup.wants_values == EVALUATED:
            raise BadInput("rewards by knowledge need knowledge: an evaluation strategy")
        self.evaluation = evaluation
        if evaluation is None and (not game.bounded or self.pruning or self.roots or repair is not None or backup.wants_values):
            self.evaluation = EVALUATIONS["plain"]()
        self.parameters = parameters if parameters is not None else Parameters()
        super().__init__(game, controller=controller)
        self.reuse, self.keep_steps, self.max_depth, self.use_start = reuse, keep_steps, max_depth, use_start
        self.from_root, self.untried_first, self.whole_playout = (
            horizon == "root", expansion == "playout", growth == "playout")
        self.reuses = any(type(part).keep is not RootStrategy.keep for part in self.roots)
        self.marking = bool(self.pruning or self.roots)
        self.unbounded_horizon = 0 if game.bounded else HORIZON
        strategies = self._strategies()
        if any([(<Strategy?>strategy).bound for strategy in strategies]):
            raise BadInput("a strategy object serves one search only; make a new one for each")
        for strategy in strategies:
            reason = strategy.cannot_play(game)
            if reason:
                raise BadInput(reason)
        needs = {need for strategy in strategies for need in strategy.needs}
        self._make_tree(game, tree, needs)
        self._make_statistics(game, needs, controller is not None)
        self._make_buffers(game, self.whole_playout or any(strategy.records for strategy in strategies), needs)
        self._bind()
        self.begin_game(0)

    @classmethod
    def cannot_play(cls, Rules game):
        """Its strategies know."""
        return ""

    def _make_tree(self, Rules game, str tree, needs):
        unknown = needs - STATISTICS
        if unknown:
            raise BadInput(f"a strategy needs statistics that nobody keeps: {', '.join(sorted(unknown))}")
        sequences = tree == "sequences" or (tree == "" and (game.chance or "sequences" in needs or self.untried_first))
        if not sequences and ("sequences" in needs or self.untried_first or self.whole_playout):
            raise BadInput("a part of this search needs a tree of sequences, not of positions")
        if sequences and (self.untried_first or self.whole_playout) and game.n_roles > 1:
            raise BadInput(f"such a search is for games of one role, and {game.id} has {game.n_roles}")
        self.tree = Tree(
            game.n_roles, squares="squares" in needs, bounds="bounds" in needs and not sequences, sequences=sequences,
            estimates="estimates" in needs, max_legal=game.max_legal)
        if "waiting" in needs:
            room = WAITING + game.max_legal * max([part.looks for part in self.roots if hasattr(part, "looks")], default=3)
            self.pool = StatePool(game, limit=room)
            self.behind = <int32_t*>malloc(room * sizeof(int32_t))
            if self.behind == NULL:
                raise MemoryError

    def _make_statistics(self, Rules game, needs, bint controlled):
        keys = game.n_places * game.n_moves
        unseen = float("inf") if self.evaluation is not None else 1.0
        self.actions = ActionTable(game.n_roles, keys, unseen) if "actions" in needs else None
        if {"ngrams", "long-ngrams"} <= needs:
            raise BadInput("one strategy counts single moves as N-grams, another does not: they do not go together")
        # A controller may ask for longer N-grams than the parameters do.
        longest = MAX_N if controlled else int(self.parameters.n)
        self.ngrams = None
        if {"ngrams", "long-ngrams"} & needs:
            self.ngrams = NgramTable(longest, 2 if "long-ngrams" in needs else 1)
        if {"amaf", "amaf-once"} <= needs:
            raise BadInput("one strategy counts a move in AMAF each time, another once per simulation: they do not go together")
        once = game.n_roles * keys if "amaf-once" in needs else 0
        self.amaf = AmafTables(keys=once) if {"amaf", "amaf-once"} & needs else None

    def _make_buffers(self, Rules game, bint record, needs):
        cdef Simulation* sim = &self.sim
        cdef size_t moves = (<size_t>self.max_depth + 1) * game.n_roles
        self.state, self.spare = self.new_state(), self.new_state()
        sim.n_roles, sim.n_moves, sim.n_keys = game.n_roles, game.n_moves, game.n_places * game.n_moves
        sim.limit = self.max_depth
        sim.record = record
        sim.scaled = self.evaluation is not None
        sim.ask_alone = self.untried_first
        sim.keyed = game.n_places > 1 and bool({"actions", "ngrams", "long-ngrams", "amaf", "amaf-once"} & needs)
        sim.vectors = self.vector
        sim.moves = <move_t*>malloc(moves * sizeof(move_t))
        sim.keys = <move_t*>malloc(moves * sizeof(move_t)) if sim.keyed else sim.moves
        sim.values = <double*>malloc((<size_t>self.max_depth + 1) * sizeof(double)) if self.backup.wants_values else NULL
        sim.watched = (
            sim.keyed or self.backup.wants_values or self.pool is not None
            or (self.evaluation is not None and self.evaluation.watches))
        self.path.nodes = <int32_t*>malloc((<size_t>self.max_depth + 1) * sizeof(int32_t))
        self.path.edges = <int32_t*>malloc(moves * sizeof(int32_t))
        self.candidates = <int32_t*>malloc((game.max_legal + 1) * sizeof(int32_t))
        self.untried = <move_t*>malloc((game.max_legal + 1) * sizeof(move_t))
        if (sim.moves == NULL or sim.keys == NULL or self.path.nodes == NULL or self.path.edges == NULL
                or self.candidates == NULL or self.untried == NULL or (sim.values == NULL and self.backup.wants_values)):
            raise MemoryError()

    def __dealloc__(self):
        if self.sim.keyed:
            free(self.sim.keys)
        free(self.sim.moves)
        free(self.sim.values)
        free(self.path.nodes)
        free(self.path.edges)
        free(self.candidates)
        free(self.untried)

    def _strategies(self):
        """All parts, each once; what learns earlier stands earlier."""
        parts = [self.playout, self.selection, self.backup, self.evaluation, *self.pruning, *self.roots, self.repair]
        return [part for part in parts if part is not None]

    def _bind(self):
        cdef Strategy strategy
        for strategy in self._strategies():
            strategy.bound = True
            strategy.controller = self.controller
            strategy.actions, strategy.ngrams, strategy.amaf = self.actions, self.ngrams, self.amaf
        self.playout.search = self
        if self.repair is not None:
            self.repair.search = self
        for part in self.pruning:
            (<Pruning?>part).search = self
        for part in self.roots:
            (<RootStrategy?>part).search = self

    @property
    def vectors(self):
        """The parameters in force, a live array [role, parameter] in the order of `parameters.NAMES`."""
        cdef Py_ssize_t size = <Py_ssize_t>self.game.n_roles * N_PARAMETERS
        return np.asarray(<double[:size]>self.sim.vectors).reshape(self.game.n_roles, N_PARAMETERS)

    def set_parameters(self):
        """The same for all roles."""
        cdef int role, i
        for role in range(self.game.n_roles):
            for i, value in enumerate(self.parameters.vector()):
                self.sim.vectors[role * N_PARAMETERS + i] = value

    def reset(self):
        """Forget everything."""
        self.sim.rng = self.rng
        self.sim.place = 0
        self.sim.mixmax = 0.0
        self.deterministic = False
        self.previous = None
        forget_bounds(&self.sim.bounds)
        self._forget_tree()
        if self.actions is not None:
            self.actions.clear()
        if self.ngrams is not None:
            self.ngrams.clear()
        for strategy in self._strategies():
            strategy.begin_game(self.game)

    def _forget_tree(self):
        self.tree.clear()
        self.root_node = NONE
        if self.amaf is not None:
            self.amaf.clear()

    # ---------------------------------------------------------------- a search

    def think_ahead(self, Situation state, budget, *, int role=0):
        """Use the time before the first move, if the search does."""
        if self.use_start:
            self._begin(state, budget, role, 0)
            self._prepare(role, 0, True)
            self._run()
            return self.so_far()

    def search(self, Situation state, budget, *, int role=0, int step=0):
        """Search from `state` until the budget is used, and choose a move for `role`.

        Args:
            state: The present position; it is not changed.
            budget: A `Budget`.
            role: Whose move is wanted.
            step: Number of joint moves played in the game so far. It must not fall within a game.
        """
        self._begin(state, budget, role, step)
        self._prepare(role, step, False)
        self._run()
        done = self.so_far()
        if self.root_node == NONE or self.tree.nodes[self.root_node].first == NONE:
            move, rows = self._without_tree(role)
        else:
            move, rows = self._with_tree(role)
        self.previous = (step, move)
        return SearchResult(
            move, rows, done.simulations, done.seconds, done.steps, self.deepest, self.tree.n_nodes, self.notes())

    def _prepare(self, int role, int step, bint ahead):
        cdef Strategy strategy
        cdef RootStrategy part
        cdef bint turn = self.started and step > self.step
        for strategy in self._strategies():
            strategy.ahead = ahead
            if turn:
                strategy.begin_turn(step)
        for part in self.roots:
            part.look()
        if self.tree.sequences:
            self._prepare_sequences(step)
        elif not self.reuse:
            self._forget_tree()
        elif turn:
            self._keep_amaf(self.tree.keep_since(step - self.keep_steps, self.amaf))
        if not self.tree.sequences:
            self.root_node = self.tree.find(self.root.c_key())
        self.step, self.started = step, True
        if self.evaluation is not None:
            self.evaluation.root_value = plain_value(self.root, role)
            widen(&self.sim.bounds, self.evaluation.root_value)
        for strategy in self._strategies():
            strategy.begin_search(self.root, role)
        if self.sim.values != NULL:
            self.sim.values[0] = self.evaluation.root_value
            if self.backup.wants_values == EVALUATED:
                self.sim.values[0] = self.evaluate(self.root, role)
        for part in self.roots:
            part.plant()
        self.deepest = 0

    def _prepare_sequences(self, int step):
        """The tree of this search: part of the last one, that of the time before the game, or a new one."""
        cdef bint moved = False
        kept = next((kept for kept in (part.keep(step, self.previous) for part in self.roots) if kept), None)
        if kept is not None:
            moved = True
            self._keep_amaf(self.tree.keep_below(kept[0], kept[1], self.amaf))
        elif self.previous is None and self.started and step == self.step and self.root_node != NONE:
            self._keep_amaf(self.tree.keep_below(self.root_node, 1.0, self.amaf))
        else:
            self._forget_tree()
            self.tree.add_sequence(NONE, NONE, 1, False)
        self.root_node = 0
        if self.pool is not None:
            self.pool.clear()       # what waits belongs to another step's chance
        if self.prunes is not None:
            self.prunes.tree_changed(moved)

    def _keep_amaf(self, kept):
        if kept is not self.amaf:
            self.amaf = kept
            self._bind()

    def _run(self):
        """Simulate until the budget is used."""
        with nogil:
            while self.next_simulation():
                self.simulate()
                if self.broken():
                    break
        self._raise_failures()

    cdef inline bint broken(self) noexcept nogil:
        return self.state.failed or self.root.failed or self.selection.failed or self.playout.failed

    def _raise_failures(self):
        """Raise what rules or strategies written in Python have raised; what that simulation left in the tree is void."""
        first = None
        for part in (self, *self._strategies()):     # all are asked, so that none comes up again in a later search
            try:
                part.check()
            except BaseException as error:
                first = first or error
        if first is not None:
            self._forget_tree()
            raise first

    # ---------------------------------------------------------------- a simulation

    cdef void simulate(self) noexcept nogil:
        """One simulation."""
        cdef Simulation* sim = &self.sim
        cdef int32_t leaf
        cdef bint new = False, proven = False
        cdef int role
        self.horizon = <int>sim.vectors[self.role * N_PARAMETERS + P_D]
        if self.horizon == 0:
            self.horizon = self.unbounded_horizon
        sim.limit = self.max_depth
        if self.horizon > 0:
            sim.limit = min(sim.limit, self.horizon) if self.from_root else max(1, sim.limit - self.horizon)
        if self.prunes is not None:
            self.prunes.reserve()
        self.selection.begin_simulation(sim)
        sim.length = 0
        self.path.length = 0
        self.branch(self.state, self.root)
        leaf = self.descend(&new, &proven)
        sim.tree_length = sim.length
        self.path.leaf = leaf
        if self.horizon > 0 and not self.from_root:
            sim.limit = min(sim.length + self.horizon, self.max_depth)
        if proven:
            for role in range(sim.n_roles):
                sim.results[role] = sim.goals[role] = self.tree.bounds[(<Py_ssize_t>leaf * sim.n_roles + role) * 2]
        else:
            if self.untried_first and sim.length < sim.limit:
                self.try_untried(leaf)
            if leaf == NONE or not self.tree.nodes[leaf].terminal:
                self.playout.run(self.state, sim)
            self.score()
        self.learn(leaf if new else NONE)

    cdef int32_t descend(self, bint* new, bint* proven) noexcept nogil:
        """Go down the tree; returns the node at which the simulation leaves it."""
        cdef Simulation* sim = &self.sim
        cdef int32_t node = self.root_node, child, edge
        cdef uint64_t key
        if node == NONE:
            self.root_node = self.tree.add_node(self.state, self.root.c_key(), self.step)
            new[0] = True
            return self.root_node
        while True:
            self.tree.nodes[node].stamp = self.step
            if self.tree.nodes[node].terminal or sim.length >= sim.limit:
                return node
            if self.tree.bounds != NULL and self.path.length and self.tree.proven(node):
                proven[0] = True
                return node
            if self.tree.sequences:
                if self.state.c_terminal() or not self.ready(node):
                    return node
            elif self.tree.nodes[node].first == NONE and not self.expand(node):
                return node
            edge = self.choose_moves(node)
            child = NONE if edge == NONE else self.tree.edges[edge].child
            if child == NONE:
                if self.tree.sequences:
                    key = self.sequence_key(self.tree.nodes[node].key)
                    child = NONE if edge != NONE else self.tree.find(key)
                    if child == NONE:
                        child = self.tree.add_sequence(node, edge, key, edge == NONE)
                        new[0] = True
                else:
                    key = self.state.c_key()
                    child = self.tree.find(key)
                    if child == NONE:
                        child = self.tree.add_node(self.state, key, self.step)
                        new[0] = True
                    if edge != NONE and child != NONE:
                        self.tree.edges[edge].child = child
                if new[0]:
                    return child
            node = child

    cdef inline uint64_t sequence_key(self, uint64_t key) noexcept nogil:
        """The key of the sequence that ends with the joint move just played."""
        cdef const move_t* joint = self.sim.moves + <Py_ssize_t>(self.sim.length - 1) * self.sim.n_roles
        cdef int role
        for role in range(self.sim.n_roles):
            key = mix(key, <uint64_t>(joint[role] + 2))
        return key

    cdef bint expand(self, int32_t node) noexcept nogil:
        if not self.tree.expand(node, self.state):
            return False
        if self.amaf is not None:
            self.tree.nodes[node].amaf = self.amaf.unfold(self.tree.nodes[node].amaf, &self.sim)
        return True

    cdef bint ready(self, int32_t node) noexcept nogil:
        """Find the edges of the moves that are legal at a node of a tree of sequences; whether selection goes on there."""
        cdef const move_t* moves = NULL
        cdef int mover = self.state.c_mover(), i, n
        self.tree.nodes[node].mover = mover
        if self.amaf is not None and self.tree.nodes[node].amaf < 0:
            self.tree.nodes[node].amaf = self.amaf.unfold(self.tree.nodes[node].amaf, &self.sim)
        if mover < 0:
            return self.tree.nodes[node].first != NONE or self.tree.expand(node, self.state)
        n = self.n_candidates = self.state.c_legal(mover, &moves)
        if n == 0:
            return False
        self.aligned = self.tree.fits(node, moves, n)
        if not self.aligned:
            if not self.covers(node, moves, n) and not self.tree.adopt(node, mover, moves, n):
                return False
            self.aligned = self.tree.fits(node, moves, n)
        for i in range(n):
            self.candidates[i] = self.tree.nodes[node].first + i if self.aligned else self.tree.edge_of(node, mover, moves[i])
        if self.untried_first:
            for i in range(n):
                if self.tree.edges[self.candidates[i]].child == NONE:
                    return False
        if self.prunes is not None:
            self.prunes.enter(node, moves, n)
        self.look_around()
        return True

    cdef bint covers(self, int32_t node, const move_t* moves, int n) noexcept nogil:
        """Whether a node has an edge for each of these moves, and more besides: then it stays as it is."""
        cdef const Node* here = &self.tree.nodes[node]
        cdef int i
        cdef int32_t e
        cdef bint known
        if here.n_edges <= n:
            return False
        for i in range(n):
            known = False
            for e in range(here.first, here.first + here.n_edges):
                known = known or self.tree.edges[e].move == moves[i]
            if not known:
                return False
        return True

    cdef int32_t choose_moves(self, int32_t node) noexcept nogil:
        """Every acting role chooses, and the joint move is played; returns the edge taken if one role acts alone."""
        cdef Simulation* sim = &self.sim
        cdef const Node* here = &self.tree.nodes[node]
        cdef int n_roles = sim.n_roles, role, mover = here.mover
        cdef int32_t first = here.first, end = here.first + here.n_edges, n, edge = NONE
        cdef move_t* joint = sim.moves + <Py_ssize_t>sim.length * n_roles
        cdef int32_t* chosen = self.path.edges + <Py_ssize_t>self.path.length * n_roles
        for role in range(n_roles):
            joint[role] = NO_MOVE
            chosen[role] = NONE
        if self.tree.sequences and mover >= 0:
            edge = self.choose_candidate(node, mover)
            joint[mover] = self.tree.edges[edge].move
            chosen[mover] = edge
            first = end
        while first < end:
            role = mover
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
                    edge += self.choose_by_playout(role, n)
                else:
                    edge += self.selection.select(self.tree, node, role, first, n, sim)
            joint[role] = self.tree.edges[edge].move
            chosen[role] = edge
            first += n
        if mover >= 0 and edge != NONE and self.tree.edges[edge].child != NONE:
            prefetch(&self.tree.nodes[self.tree.edges[edge].child])
        self.path.nodes[self.path.length] = node
        self.path.length += 1
        if sim.watched:
            self.follow(joint, self.tree.edges[edge].child if mover >= 0 else NONE)
        else:
            self.state.c_play(joint)
            sim.length += 1
        return edge if mover >= 0 else NONE

    cdef int32_t choose_candidate(self, int32_t node, int role) noexcept nogil:
        """The edge that the one acting role takes in a tree of sequences."""
        cdef Simulation* sim = &self.sim
        cdef int i, n = self.n_candidates, left
        if self.controller.per_state:
            self.controller.fresh(role, sim.vectors + role * N_PARAMETERS)
        self.selection.enter(self.tree, node, role, sim)
        if n == 1 and not sim.ask_alone:
            return self.candidates[0]
        if node_visits(self.tree, node) < sim.vectors[role * N_PARAMETERS + P_T]:
            return self.candidates[self.choose_by_playout(role, n)]
        left = self.prune(node, n)
        if left == n and self.aligned:
            return self.tree.nodes[node].first + self.selection.select(self.tree, node, role, self.tree.nodes[node].first, n, sim)
        for i in range(left):           # on the scratch pad they stand side by side, as selection wants them
            self.tree.copy_edge(i, self.candidates[i])
        return self.candidates[self.selection.select(self.tree, node, role, 0, left, sim)]

    cdef int prune(self, int32_t node, int n) noexcept nogil:
        """Leave marked candidates out, as long as some are left: marks of the highest value are ignored first."""
        cdef int marks = UNSAFE, i, left
        if not self.marking:
            return n
        if self.prunes is not None:
            marks |= self.prunes.marks_at(node)
        while marks:
            left = 0
            for i in range(n):
                left += not self.tree.edge_more[self.candidates[i]].marks & marks
            if left == n:
                return n
            if left:
                left = 0
                for i in range(n):
                    if not self.tree.edge_more[self.candidates[i]].marks & marks:
                        self.candidates[left] = self.candidates[i]
                        left += 1
                return left
            marks = UNSAFE if marks != UNSAFE else 0
        return n

    cdef int choose_by_playout(self, int role, int n) noexcept nogil:
        """The playout strategy chooses in the tree (parameter T), among the moves in the order of the edges."""
        cdef const move_t* moves = NULL
        self.state.c_legal(role, &moves)
        return self.playout.choose(self.state, &self.sim, role, moves, n)

    cdef void try_untried(self, int32_t node) noexcept nogil:
        """The first move of the playout: one that has no node yet, chosen by the playout strategy."""
        cdef Simulation* sim = &self.sim
        cdef const move_t* moves = NULL
        cdef int i, n = self.state.c_legal(0, &moves), left = 0
        cdef move_t move
        for i in range(n):
            if self.known_child(node, moves[i]) == NONE:
                self.untried[left] = moves[i]
                left += 1
        if left == 0:
            return
        self.look_around()
        if self.controller.per_state:
            self.controller.fresh(0, sim.vectors)
        move = self.untried[self.playout.choose(self.state, sim, 0, self.untried, left)]
        sim.moves[sim.length] = move
        if sim.watched:
            self.follow(&move, NONE)
        else:
            self.state.c_play(&move)
            sim.length += 1

    cdef void score(self) noexcept nogil:
        """What the simulation ended with."""
        cdef Simulation* sim = &self.sim
        cdef double value
        cdef int role
        if self.evaluation is None:
            self.state.c_values(sim.results)
        else:
            for role in range(sim.n_roles):
                sim.results[role] = self.evaluate(self.state, role)
        if self.repair is None or not self.repair.mend(sim.results[0], sim.results):
            if self.untried_first or self.whole_playout:
                self.grow()
        self.backup.score(sim)
        for role in range(sim.n_roles):
            value = sim.results[role]
            sim.goals[role] = on_scale(&sim.bounds, value) if sim.scaled else value

    cdef void learn(self, int32_t leaf) noexcept nogil:
        """Enter the result everywhere: tree, shared statistics, strategies, controller."""
        cdef Simulation* sim = &self.sim
        cdef int i
        if not sim.watched:
            self.steps += sim.length
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
        self.controller.end_simulation(&sim.results[0] if self.controller.raw else &sim.goals[0])

    # ---------------------------------------------------------------- what came out

    def root_moves(self, int role=0):
        """The root's statistics for a role after a search, in generation order."""
        cdef int32_t node = self.root_node, e
        cdef object visits
        rows = []
        if node == NONE or self.tree.nodes[node].first == NONE:
            return rows
        for e in range(self.tree.nodes[node].first, self.tree.nodes[node].first + self.tree.nodes[node].n_edges):
            if self.tree.edges[e].role == role:
                visits, pruned = self.tree.edges[e].visits, False
                if self.tree.sequences:
                    visits = self.tree.edge_more[e].weight
                    pruned = self.tree.edge_more[e].marks & (UNSAFE | NOT_NOVEL) != 0
                rows.append(RootMove(self.tree.edges[e].move, visits, mean_of(self.tree, e), pruned))
        return rows

    def _with_tree(self, role):
        cdef Draws draws = Draws()
        draws.rng, draws.owner = &self.sim.rng, self
        rows = self.root_moves(role)
        if not rows:        # the role does not act here
            return None, rows
        chosen = self.final_move.choose_at(self._root_table(role, rows), draws)
        return (None if chosen is None else rows[chosen].move), rows

    def _root_table(self, int role, rows):
        """All that is known of the root's moves for a role."""
        cdef const Node* here = &self.tree.nodes[self.root_node]
        cdef int32_t first = here.first
        cdef Py_ssize_t at
        cdef int i, n = len(rows)
        cdef int[::1] marks = np.zeros(n, dtype=np.intc)
        cdef const AmafEntry* entry
        cdef int32_t child
        cdef bint sequences = self.tree.sequences
        while self.tree.edges[first].role != role:
            first += 1
        means = np.array([row.mean for row in rows])
        table = RootTable(
            visits=np.array([row.visits for row in rows], dtype=np.float64 if sequences else np.int32),
            means=means,
            node_visits=node_visits(self.tree, self.root_node) if sequences else here.visits,
            K=self.sim.vectors[role * N_PARAMETERS + P_K],
            amaf=np.full(n, np.nan), low=np.zeros(n), high=np.ones(n), open=np.ones(n, dtype=bool),
            moves=np.array([row.move for row in rows], dtype=np.int32),
            known=np.array([        # what several roles' moves lead to is no child of one edge
                self.tree.edges[first + i].child != NONE or (here.mover < 0 and rows[i].visits > 0) for i in range(n)]),
            unsafe=np.array([sequences and self.tree.edge_more[first + i].marks & UNSAFE != 0 for i in range(n)]),
            stale=np.array([sequences and self.tree.edge_more[first + i].marks & NOT_NOVEL != 0 for i in range(n)]),
            pruning=self.prunes is not None,
            qualities=np.array([on_scale(&self.sim.bounds, mean) for mean in means]) if self.sim.scaled else means,
            estimates=np.array([self.tree.edge_more[first + i].estimate if sequences else 0.0 for i in range(n)]),
        )
        if self.amaf is not None:
            self.sim.place = self.root.c_place() if self.sim.keyed else 0
            for i in range(n):
                entry = self.amaf.find(here.amaf, role, &self.sim, self.tree.edges[first + i].move)
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

    def _without_tree(self, role):
        """One simulation only, or no memory: any legal move."""
        legal = self.root.legal(role)
        move = legal[int(rng_double(&self.sim.rng) * len(legal))] if legal else None
        return move, [RootMove(move=m, visits=0, mean=0.0) for m in legal]

    def notes(self):
        """What the strategies have found out, and the parameters of the last simulation."""
        cdef int i
        notes = {"parameters": {name: self.sim.vectors[self.role * N_PARAMETERS + i] for i, name in enumerate(NAMES)}}
        for strategy in self._strategies():
            notes.update(strategy.notes())
        return notes

    @property
    def extremes(self):
        """Lowest and highest result of this game so far, of searches whose values have no bounds."""
        return self.sim.bounds.low, self.sim.bounds.high
