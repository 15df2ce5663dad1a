# distutils: extra_compile_args = -O1
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

from libc.stdint cimport int32_t, int64_t

import msgspec
import numpy as np

from paidia.core.control cimport Controller
from paidia.core.machine.memory cimport calloc, malloc
from paidia.core.machine.now cimport now
from paidia.core.model cimport Rules, Situation, move_t
from paidia.core.machine.rng cimport Rng, rng_below, rng_double
from paidia.core.machine.view cimport view_of
from paidia.search.backup.base cimport EVALUATED, Backup
from paidia.search.descent cimport Descent
from paidia.search.evaluation.base cimport Evaluation, plain_value
from paidia.search.frame.parameters cimport N_PARAMETERS
from paidia.search.playout.base cimport Playout
from paidia.search.nodes.pool cimport StatePool
from paidia.search.pruning.base cimport Pruning
from paidia.search.repair.base cimport Repair
from paidia.search.root.base cimport RootStrategy
from paidia.search.frame.scale cimport forget_bounds, widen
from paidia.search.selection.base cimport Selection
from paidia.search.frame.simulation cimport LastUse, Simulation
from paidia.search.statistics.actions cimport ActionTable
from paidia.search.statistics.amaf cimport AmafTables
from paidia.search.statistics.ngrams cimport MAX_N, NgramTable
from paidia.search.frame.strategy cimport Strategy
from paidia.search.nodes.tree cimport NONE, Tree

from paidia.core.errors import BadInput, OutOfTime
from paidia.core.seeds import spawn
from paidia.search.nodes.memory import share_of_machine
from paidia.search.frame.parameters import NAMES, Parameters
from paidia.search.frame.outcome import root_moves, root_table
from paidia.search.registry import EVALUATIONS
from paidia.search.frame.result import RootMove, SearchResult
from paidia.search.nodes.reuse import keep_below, keep_since
from paidia.search.threads.team import run_apart, run_together
from paidia.search.threads.together import MODES, cannot_foresee, cannot_help, cannot_share, joined_rows, joined_table, share_of
from paidia.search.waves import first_wave, run_in_waves

assert len(NAMES) == N_PARAMETERS

AMAF = {"amaf", "amaf-once"}
NGRAMS = {"ngrams", "long-ngrams"}
STATISTICS = {"actions", "squares", "bounds", "estimates", "sequences", "weights", "waiting"} | AMAF | NGRAMS

cdef enum:
    HORIZON = 10        # of simulations whose values have no bounds, unless the parameter D says otherwise
    WAITING = 128       # situations that may wait in the tree, besides those of the root's moves

cdef double FORESEEN = 2**29             # nodes or edges that room is made for beforehand, at most
cdef int64_t MOST_VISITS = 2**31 - 2    # a node counts its visits in 32 bits: a search ends there, after hours


cdef bint scaled(Evaluation evaluation):
    """Whether values have no bounds."""
    return evaluation is not None and not evaluation.bounded


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


cdef class Mcts(Descent):
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
        decisive: Leave out moves that a look of two plies rules out, in tree and playout, where the rules are quick to tell.
        use_start: Search in the time before the first move.
        reuse: Keep a tree of positions between the moves of a game.
        keep_steps: With `reuse`, nodes not visited in the last `keep_steps` steps of the game are dropped.
        max_depth: No simulation has more joint moves than this; its last state's goals count then.
        memory: Megabytes of tree and statistics together; 0 is a share of the machine (`search/nodes/memory.py`). A full
            tree stays as it is, simulations go on, and the notes of the result say so.
    """

    PARAMETERS = NAMES

    cdef readonly object final_move
    cdef readonly list pruning, roots
    cdef readonly object parameters
    cdef public bint reuse
    cdef readonly bint use_start
    cdef readonly int keep_steps
    cdef readonly list helpers  # searches that help in threads of their own, see `recruit`
    cdef readonly bint shares   # all in this tree
    cdef bint scattered         # helpers search in trees of their own just now
    cdef object whole           # budget of the present search, for all threads
    cdef object previous        # step and move of the last search
    cdef int64_t counted        # simulations since the tree was last empty
    cdef double node_pace       # nodes and edges that were added in a second of the last search
    cdef double edge_pace

    def __init__(
        self, Rules game not None, *, Selection selection not None, Playout playout not None, Backup backup not None, final_move,
        Evaluation evaluation=None, pruning=(), root=(), Repair repair=None, parameters=None,
        Controller controller=None, str tree="", str expansion="selection", str growth="one", str horizon="leaf",
        bint decisive=False, bint use_start=True, bint reuse=True, int keep_steps=2, int max_depth=500, int memory=0,
    ):
        if not 1 <= max_depth:
            raise BadInput(f"max_depth must be 1 or larger, not {max_depth}")
        if memory < 0:
            raise BadInput(f"memory is a number of megabytes, 0 for a share of the machine, not {memory}")
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
        self.helpers = []
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
        tables = bool(AMAF & needs) + bool(NGRAMS & needs)
        share = (memory * 2**20 if memory else share_of_machine()) // (1 + tables)
        self._make_tree(game, tree, needs, share)
        self._make_statistics(game, needs, controller is not None, share)
        if decisive and game.decisive and self.tree.sequences:
            raise BadInput("decisive moves are found in trees of positions, not of sequences")
        self.sim.decisive = self.tree.decisive = decisive and game.decisive
        self._make_buffers(game, self.whole_playout or any(strategy.records for strategy in strategies), needs)
        self._bind()
        self.begin_game(0)

    @classmethod
    def cannot_play(cls, Rules game not None):
        """Its strategies know."""
        return ""

    def recruit(self, helpers, str parallel=""):
        """Search in threads from now on: this search in one of them, each of its helpers in another.

        Args:
            helpers: Searches for the same game, composed of strategies like this one's; they are its own from now on.
            parallel: "tree": all in one tree; "root": each in a tree of its own, reproducible. "" is the tree, where it can be
                shared.
        """
        cdef Mcts member
        if parallel not in MODES:
            raise BadInput(f"parallel is one of {', '.join(repr(mode) for mode in MODES)}, not {parallel!r}")
        alone = cannot_help(self) if helpers else ""
        reason = cannot_share(self)
        if alone:
            raise BadInput(alone)
        if reason and parallel == "tree":
            raise BadInput(f"threads cannot share the tree of this search ({reason}); say parallel = root")
        self.helpers, self.shares = list(helpers), bool(helpers) and parallel != "root" and not reason
        for member in self.helpers:
            member.helping = True
        for member in self._apart():
            member.tree.room.limit //= len(self._apart())
            if member.amaf is not None:
                member.amaf.room.limit //= len(self._apart())
            if member.ngrams is not None:
                member.ngrams.memory //= len(self._apart())
        self.begin_game(0)

    def begin_game(self, seed):
        """A new match, for the helpers too."""
        Descent.begin_game(self, seed)
        for number, helper in enumerate(self.helpers):
            helper.begin_game(spawn(seed, 2 + number))

    def stop(self):
        """Ask a search that runs in another thread to end now, with what it has."""
        Descent.stop(self)
        for helper in self.helpers:
            helper.stop()

    def _begin(self, Situation state, budget, int role, int step):
        Descent._begin(self, state, budget if self.shares else share_of(budget, 0, 1 + len(self.helpers)), role, step)
        self.whole = budget

    def help(self, Situation state not None, budget, int role, int step, bint ahead):
        """The search of another one once more, in a tree of its own."""
        self._enter(state, budget, role, step)
        try:
            self._prepare(role, step, ahead)
            self._run()
        finally:
            self.busy = False

    def _make_tree(self, Rules game, str tree, needs, int64_t memory):
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
            weights="weights" in needs, estimates="estimates" in needs, max_legal=game.max_legal,
            memory=memory)
        if "waiting" in needs:
            room = WAITING + game.max_legal * max([part.looks for part in self.roots if hasattr(part, "looks")], default=3)
            self.pool = StatePool(game, limit=room)
            self.behind = <int32_t*>malloc(room * sizeof(int32_t))
            if self.behind == NULL:
                raise MemoryError

    def _make_statistics(self, Rules game, needs, bint controlled, int64_t memory):
        keys = game.n_places * game.n_moves
        unseen = float("inf") if scaled(self.evaluation) else 1.0
        self.actions = ActionTable(game.n_roles, keys, unseen) if "actions" in needs else None
        if NGRAMS <= needs:
            raise BadInput("one strategy counts single moves as N-grams, another does not: they do not go together")
        # A controller may ask for longer N-grams than the parameters do.
        longest = MAX_N if controlled else int(self.parameters.n)
        self.ngrams = None
        if NGRAMS & needs:
            self.ngrams = NgramTable(longest, 2 if "long-ngrams" in needs else 1, memory=memory)
        if AMAF <= needs:
            raise BadInput("one strategy counts a move in AMAF each time, another once per simulation: they do not go together")
        once = game.n_roles * keys if "amaf-once" in needs else 0
        self.amaf = AmafTables(keys=once, memory=memory) if AMAF & needs else None

    def _make_buffers(self, Rules game, bint record, needs):
        cdef Simulation* sim = &self.sim
        cdef size_t moves = (<size_t>self.max_depth + 1) * game.n_roles
        self.state, self.spare = self.new_state(), self.new_state()
        sim.n_roles, sim.n_moves, sim.n_keys = game.n_roles, game.n_moves, game.n_places * game.n_moves
        sim.limit = self.max_depth
        sim.record = record
        sim.scaled = scaled(self.evaluation)
        sim.ask_alone = self.untried_first
        sim.keyed = game.n_places > 1 and bool(({"actions"} | AMAF | NGRAMS) & needs)
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
        if self.amaf is not None and self.amaf.keys:
            sim.repeats.last_use = <LastUse*>calloc(self.amaf.keys, sizeof(LastUse))
            if sim.repeats.last_use == NULL:
                raise MemoryError()
        if (sim.moves == NULL or sim.keys == NULL or self.path.nodes == NULL or self.path.edges == NULL
                or self.candidates == NULL or self.untried == NULL or (sim.values == NULL and self.backup.wants_values)):
            raise MemoryError()

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
        cdef Py_ssize_t size = <Py_ssize_t>self.game.n_roles * N_PARAMETERS * sizeof(double)
        return np.frombuffer(view_of(self, self.sim.vectors, size, True)).reshape(self.game.n_roles, N_PARAMETERS)

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
        self.counted = 0
        if self.amaf is not None:
            self.amaf.clear()

    # ---------------------------------------------------------------- a search

    def _think_ahead(self):
        if self.use_start:
            self._prepare(self.role, 0, True)
            self._run()

    def _search(self, int step):
        cdef Mcts member
        cdef int64_t nodes = 0
        self._prepare(self.role, step, False)
        self._run()
        done = self.so_far()
        if self.root_node == NONE or self.tree.nodes[self.root_node].first == NONE:
            move, rows = self._without_tree(self.role)
        else:
            move, rows = self._with_tree(self.role)
        for member in self._apart():
            member.previous = (step, move)
            nodes += member.tree.n_nodes
        return SearchResult(move, rows, done.simulations, done.seconds, done.steps, self.deepest, nodes, self.notes())

    def _begin_turns(self, int step, bint ahead):
        """Tell the strategies which step of the game it is; whether it is another one than in the last search."""
        cdef Strategy strategy
        cdef bint turn = self.started and step > self.step
        cdef int passed
        for strategy in self._strategies():
            strategy.ahead = ahead
            if turn:        # once for each move of the game, also those in which this player was not asked
                for passed in range(self.step + 1, step + 1):
                    strategy.begin_turn(passed)
        return turn

    def _prepare(self, int role, int step, bint ahead):
        cdef Strategy strategy
        cdef RootStrategy part
        cdef bint turn
        self.tree.detach()
        turn = self._begin_turns(step, ahead)
        for part in self.roots:
            part.look()
        if self.tree.sequences:
            self._prepare_sequences(step)
        elif not self.reuse:
            self._forget_tree()
        elif turn:
            self._keep_amaf(keep_since(self.tree, step - self.keep_steps, self.amaf))
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
            self._keep_amaf(keep_below(self.tree, kept[0], kept[1], self.amaf))
        elif self.previous is None and self.started and step == self.step and self.root_node != NONE:
            self._keep_amaf(keep_below(self.tree, self.root_node, 1.0, self.amaf))
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
        if self.clock.limit == 0 or self.clock.limit > MOST_VISITS - self.counted:
            self.clock.limit = max(1, MOST_VISITS - self.counted)
        nodes, edges, began = self.tree.n_nodes, self.tree.n_edges, now()
        self.tree.occupy()
        try:
            self._expect()
            if self.shares:
                run_together(self, self.helpers)
            elif self.helpers:
                self.scattered = True
                run_apart(self, self.helpers, self.whole)
            elif not (self.in_waves and run_in_waves(self)):
                self._simulate()
        finally:
            self.scattered = False
            self.tree.leave()
        self.counted += self.clock.done
        seconds = max(1e-3, now() - began)
        self.node_pace, self.edge_pace = (self.tree.n_nodes - nodes) / seconds, (self.tree.n_edges - edges) / seconds
        self._raise_failures()

    def _expect(self):
        """Room for what this search will add at the pace of the last one: in the middle of a search it would take time, late."""
        cdef double seconds = 1.2 * (self.clock.deadline - self.clock.began)
        cdef double nodes = self.node_pace * seconds, edges = self.edge_pace * seconds
        if seconds > 0 and not self.tree.sequences and nodes < FORESEEN and edges < FORESEEN:
            self.tree.expect(<int32_t>nodes, <int32_t>edges)

    def _simulate(self):
        with nogil:
            while self.next_simulation():
                self.simulate()
                if self.broken():
                    break

    def _raise_failures(self):
        """Raise what rules or strategies written in Python have raised; what that simulation left in the tree is void."""
        failure = None
        for member in (self, *(self.helpers if self.shares else ())):
            first = None
            for part in (member, *member._strategies()):    # all are asked, so that none comes up again in a later search
                try:
                    part.check()
                except BaseException as error:
                    first = first or error
            if isinstance(first, OutOfTime):    # in the middle of a simulation of a slow game: those before it count
                self.clock.done = max(0, self.clock.done - 1)
            else:
                failure = failure or first
        if failure is not None:
            self._forget_tree()
            raise failure

    # ---------------------------------------------------------------- what came out

    @property
    def in_waves(self):
        """Whether many simulations are played to their ends at once (waves.pyx)."""
        return self.playout.waves and not self.shares and not cannot_foresee(self)

    @property
    def wave_seconds(self):
        """How long a wave takes as long as little is known; 0 before there was one."""
        return first_wave(self.playout.leaves) if self.in_waves else 0.0

    def root_moves(self, int role=0):
        """The root's statistics for a role after a search, in generation order."""
        self.tree.check_free()
        rows = [root_moves(member, role) for member in self._apart()]
        return rows[0] if len(rows) == 1 else joined_rows(rows)

    def _apart(self):
        """The searches whose trees tell something: helpers at work change theirs."""
        return [self] if self.shares or self.scattered else [self, *self.helpers]

    def so_far(self):
        """What the present search and its helpers have done, without a choice."""
        done = Descent.so_far(self)
        return msgspec.structs.replace(done, simulations=done.simulations + sum([(<Mcts?>h).clock.done for h in self.helpers]))

    def _with_tree(self, role):
        cdef Draws draws = Draws()
        draws.rng, draws.owner = &self.sim.rng, self
        rows = self.root_moves(role)
        if not rows:        # the role does not act here
            return None, rows
        each = [(member, root_moves(member, role)) for member in self._apart()]
        tables = [root_table(member, role, own) for member, own in each if own]
        chosen = self.final_move.choose_at(tables[0] if len(tables) == 1 else joined_table(tables), draws)
        return (None if chosen is None else rows[chosen].move), rows

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
        if self.in_waves:
            notes["waves"] = f"up to {self.playout.leaves.most} simulations at once"
        if self.helpers:
            notes["threads"] = f"{1 + len(self.helpers)} in {'one tree' if self.shares else 'trees of their own'}"
        if self.tree.full or self.tree.n_nodes >= self.tree.limit:
            notes["full"] = f"the tree stopped growing at {self.tree.n_nodes:,} nodes ({self.tree.room.used >> 20:,} MB)"
        elif (self.amaf is not None and self.amaf.room.short_of) or (self.ngrams is not None and self.ngrams.short_of):
            notes["full"] = "statistics of moves stopped growing: no memory is left for them"
        return notes

    @property
    def extremes(self):
        """Lowest and highest result of this game so far, of searches whose values have no bounds."""
        return self.sim.bounds.low, self.sim.bounds.high
