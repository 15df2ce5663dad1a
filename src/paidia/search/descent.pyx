# distutils: extra_compile_args = -O3
"""`Descent`: one simulation of the tree search (see descent.pxd)."""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free

from paidia.core.machine.atomic cimport get, put
from paidia.core.machine.bits cimport mix, prefetch
from paidia.core.model cimport NO_MOVE, move_t, moves_of
from paidia.search.frame.parameters cimport N_PARAMETERS, P_D, P_T
from paidia.search.nodes.proofs cimport proven
from paidia.search.frame.scale cimport on_scale
from paidia.search.threads.sharing cimport (
    BATCH, Replica, add_shared, expand_shared, foresee, put_off, remember_shared, replica_of, take_back,
)
from paidia.search.frame.simulation cimport Simulation
from paidia.search.nodes.tree cimport NONE, UNSAFE, Edge, Node, fits, node_visits


cdef inline int choose_edge(Descent search, int32_t node, int role, int32_t first, int n, int32_t replica) noexcept nogil:
    """Which of the n edges of a role at a position it takes; selection reads a thread's own copies of them, if there are."""
    cdef Simulation* sim = &search.sim
    if n == 1:
        return 0
    if search.tree.nodes[node].visits < sim.vectors[role * N_PARAMETERS + P_T]:
        return search.choose_by_playout(role, n)
    if replica != NONE:
        first = search.backlog.replicas[replica].first
    return search.selection.select(search.tree, node, role, first, n, sim)


cdef inline void nobody_moves(move_t* joint, int32_t* chosen, int n_roles) noexcept nogil:
    """Until somebody chooses. Nearly all games have one or two roles: a loop over them would become calls of memset."""
    cdef int role
    joint[0], chosen[0] = NO_MOVE, NONE
    if n_roles > 1:
        joint[1], chosen[1] = NO_MOVE, NONE
        if n_roles > 2:
            for role in range(2, n_roles):
                joint[role], chosen[role] = NO_MOVE, NONE


cdef inline void tell(Descent search, Simulation* sim) noexcept nogil:
    """Strategies and controller learn what came of a simulation."""
    search.playout.after_simulation(search.root, sim)
    search.selection.after_simulation(search.root, sim)
    if search.evaluation is not None and search.evaluation.learns:
        search.evaluation.after_simulation(search.root, sim)
    search.controller.end_simulation(&sim.results[0] if search.controller.raw else &sim.goals[0])


cdef class Descent(Simulator):
    """Base of the tree search: selection, expansion, playout and what all of them learn."""

    def __dealloc__(self):
        if self.sim.keyed:
            free(self.sim.keys)
        free(self.sim.moves)
        free(self.sim.values)
        free(self.path.nodes)
        free(self.path.edges)
        free(self.sim.repeats.last_use)
        free(self.sim.repeats.previous)
        free(self.candidates)
        free(self.untried)

    cdef void simulate(self) noexcept nogil:
        """One simulation."""
        cdef bint new = False, known = False
        self.go_down(&new, &known)
        self.play_out(new, known)

    cdef void go_down(self, bint* new, bint* known) noexcept nogil:
        """The part of a simulation in the tree; `path.leaf` is where it ends."""
        cdef Simulation* sim = &self.sim
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
        self.path.leaf = self.descend(new, known)
        sim.tree_length = sim.length
        if self.horizon > 0 and not self.from_root:
            sim.limit = min(sim.length + self.horizon, self.max_depth)

    cdef void play_out(self, bint new, bint known) noexcept nogil:
        """The part below the tree, and what is learned from the whole."""
        cdef Simulation* sim = &self.sim
        cdef int32_t leaf = self.path.leaf
        cdef int role
        if known:
            for role in range(sim.n_roles):
                sim.results[role] = sim.goals[role] = self.tree.bounds[(<Py_ssize_t>leaf * sim.n_roles + role) * 2]
        else:
            if self.untried_first and sim.length < sim.limit:
                self.try_untried(leaf)
            if leaf == NONE or not self.tree.nodes[leaf].terminal:
                self.playout.run(self.state, sim)
                if self.evaluation is not None and self.evaluation.learns:
                    self.play_on()
            self.score()
        if not self.broken():           # what was cut short has no result
            self.learn(leaf if new else NONE)
        elif self.tree.shared:
            take_back(self.tree, &self.path, sim.n_roles, self.backlog)

    cdef int32_t descend(self, bint* new, bint* known) noexcept nogil:
        """Go down the tree; returns the node at which the simulation leaves it."""
        cdef Simulation* sim = &self.sim
        cdef int32_t node = self.root_node, child, edge
        cdef uint64_t key
        if node == NONE:
            self.root_node = self.tree.add_node(self.state, self.root.c_key(), self.step)
            new[0] = True
            return self.root_node
        while True:
            if self.tree.nodes[node].stamp != self.step:
                self.tree.nodes[node].stamp = self.step
            if self.tree.nodes[node].terminal or sim.length >= sim.limit:
                return node
            if self.tree.bounds != NULL and self.path.length and proven(self.tree, node):
                known[0] = True
                return node
            if self.tree.sequences:
                if self.state.c_terminal() or not self.ready(node):
                    return node
            elif get(&self.tree.nodes[node].first) == NONE and not self.expand(node):
                return node
            edge = self.choose_moves(node)
            if self.state.failed:       # it has not moved: there is no child to speak of
                return node
            child = NONE if edge == NONE else get(&self.tree.edges[edge].child)
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
                        child = self.add_position(key)
                        new[0] = True
                    if edge != NONE and child != NONE:
                        put(&self.tree.edges[edge].child, child)
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

    cdef inline int32_t add_position(self, uint64_t key) noexcept nogil:
        if self.tree.shared:
            return add_shared(self.tree, self.state, key, self.step, self.backlog)
        return self.tree.add_node(self.state, key, self.step)

    cdef bint expand(self, int32_t node) noexcept nogil:
        if self.tree.shared:
            return expand_shared(self.tree, node, self.state, self.amaf, &self.sim, self.backlog)
        if not self.tree.expand(node, self.state):
            return False
        if self.amaf is not None:
            self.tree.nodes[node].amaf = self.amaf.unfold(self.tree.nodes[node].amaf, &self.sim)
        return True

    cdef bint ready(self, int32_t node) noexcept nogil:
        """Find the edges of the moves that are legal at a node of a tree of sequences; whether selection goes on there."""
        cdef const move_t* moves = NULL
        cdef int mover = 0 if self.sim.n_roles == 1 else self.state.c_mover(), i, n
        self.tree.nodes[node].mover = mover
        if self.amaf is not None and self.tree.nodes[node].amaf < 0:
            self.tree.nodes[node].amaf = self.amaf.unfold(self.tree.nodes[node].amaf, &self.sim)
        if mover < 0:
            return self.tree.nodes[node].first != NONE or self.tree.expand(node, self.state)
        n = self.n_candidates = self.state.c_legal(mover, &moves)
        if n == 0:
            return False
        self.aligned = fits(self.tree, node, moves, n)
        if not self.aligned:
            if not self.covers(node, moves, n) and not self.tree.adopt(node, mover, moves, n):
                return False
            self.aligned = fits(self.tree, node, moves, n)
        if not self.aligned:
            for i in range(n):
                self.candidates[i] = self.tree.edge_of(node, mover, moves[i])
        elif self.marking:
            self.line_up(node)
        if self.untried_first:
            for i in range(n):
                if self.tree.edges[self.tree.nodes[node].first + i if self.aligned else self.candidates[i]].child == NONE:
                    return False
        if self.prunes is not None:
            self.prunes.enter(node, moves, n)
        if self.sim.keyed:
            self.look_around()
        return True

    cdef void line_up(self, int32_t node) noexcept nogil:
        cdef int i
        for i in range(self.n_candidates):
            self.candidates[i] = self.tree.nodes[node].first + i

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
        cdef int32_t first = here.first, end = here.first + here.n_edges, n, edge = NONE, child = NONE, replica = NONE
        cdef move_t* joint = sim.moves + <Py_ssize_t>sim.length * n_roles
        cdef int32_t* chosen = self.path.edges + <Py_ssize_t>self.path.length * n_roles
        nobody_moves(joint, chosen, n_roles)
        if self.controller.per_state:
            for role in range(n_roles):
                self.controller.fresh(role, sim.vectors + role * N_PARAMETERS)
        self.selection.enter(self.tree, node, sim)
        if self.tree.shared:
            replica = replica_of(self.tree, node, self.backlog)
        if mover >= 0:
            edge = (
                self.choose_candidate(node, mover) if self.tree.sequences
                else first + choose_edge(self, node, mover, first, here.n_edges, replica)
            )
            joint[mover] = self.tree.edges[edge].move
            chosen[mover] = edge
            child = self.tree.edges[edge].child
            if child != NONE:
                prefetch(&self.tree.nodes[child])
        while mover < 0 and first < end:        # the edges of one role after another
            role = self.tree.edges[first].role
            n = 1
            while first + n < end and self.tree.edges[first + n].role == role:
                n += 1
            chosen[role] = first + choose_edge(self, node, role, first, n, replica)
            joint[role] = self.tree.edges[chosen[role]].move
            first += n
        if self.tree.shared:
            self.backlog.copied[self.path.length] = replica
            if replica == NONE:
                foresee(self.tree, node, chosen, n_roles)
        self.path.nodes[self.path.length] = node
        self.path.length += 1
        if sim.watched:
            self.follow(joint, child)
        else:
            self.state.c_play(joint)
            sim.length += 1
        return edge

    cdef int32_t choose_candidate(self, int32_t node, int role) noexcept nogil:
        """The edge that the one acting role takes in a tree of sequences."""
        cdef Simulation* sim = &self.sim
        cdef int32_t first = self.tree.nodes[node].first
        cdef int i, n = self.n_candidates, left
        if n == 1 and not sim.ask_alone:
            return first if self.aligned else self.candidates[0]
        if sim.vectors[role * N_PARAMETERS + P_T] > 0 and node_visits(self.tree, node) < sim.vectors[role * N_PARAMETERS + P_T]:
            i = self.choose_by_playout(role, n)
            return first + i if self.aligned else self.candidates[i]
        left = self.prune(node, n) if self.marking else n
        if left == n and self.aligned:
            return first + self.selection.select(self.tree, node, role, first, n, sim)
        for i in range(left):           # on the scratch pad they stand side by side, as selection wants them
            self.tree.copy_edge(i, self.candidates[i])
        return self.candidates[self.selection.select(self.tree, node, role, 0, left, sim)]

    cdef int prune(self, int32_t node, int n) noexcept nogil:
        """Leave marked candidates out, as long as some are left: marks of the highest value are ignored first."""
        cdef int marks = UNSAFE, i, left
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
        moves_of(self.state, role, self.sim.decisive, &moves)
        return self.playout.choose(self.state, &self.sim, role, moves, n)

    cdef void try_untried(self, int32_t node) noexcept nogil:
        """The first move of the playout: one that has no node yet, chosen by the playout strategy."""
        cdef Simulation* sim = &self.sim
        cdef const move_t* moves = NULL
        cdef int i, n = self.state.c_legal(0, &moves), left = 0
        cdef move_t move
        cdef bint new = self.tree.nodes[node].n_edges == 0
        for i in range(n):
            if new or self.known_child(node, moves[i]) == NONE:
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

    cdef void play_on(self) noexcept nogil:
        """To the end of the game, where the evaluation wants to learn what positions were worth."""
        cdef Simulation* sim = &self.sim
        while sim.length < self.max_depth and not self.state.c_terminal() and self.evaluation.goes_on(self.state, sim):
            sim.limit = min(sim.limit, self.max_depth)
            self.playout.run(self.state, sim)

    cdef void score(self) noexcept nogil:
        """What the simulation ended with."""
        cdef Simulation* sim = &self.sim
        cdef int role
        if self.evaluation is None:
            self.state.c_values(sim.results)
        else:
            for role in range(sim.n_roles):
                sim.results[role] = self.evaluate(self.state, role)
        if self.repair is None or not self.repair.mend(sim.results[0], sim.results):
            if self.untried_first or self.whole_playout:
                self.grow()
        self.settle()

    cdef void settle(self) noexcept nogil:
        """What the results count, and on the scale of goals."""
        cdef Simulation* sim = &self.sim
        cdef double value
        cdef int role
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
        if self.path.length > self.deepest:
            self.deepest = self.path.length
        if self.amaf is not None and self.amaf.keys:
            self.amaf.find_repeats(sim)
        if self.tree.shared:
            self.learn_together(leaf)
            return
        self.backup.update(self.tree, &self.path, sim)
        if self.amaf is not None:
            if leaf != NONE and not self.tree.nodes[leaf].terminal:
                self.tree.nodes[leaf].amaf = self.amaf.remember(sim, sim.tree_length)
            for i in range(self.path.length):
                self.amaf.update(self.tree.nodes[self.path.nodes[i]].amaf, sim, i)
        if self.actions is not None:
            self.actions.update(sim)
        if self.ngrams is not None:
            self.ngrams.update(sim)
        tell(self, sim)

    cdef void learn_together(self, int32_t leaf) noexcept nogil:
        """The same beside other threads: what all of them would write to is kept for later."""
        cdef Simulation* sim = &self.sim
        cdef int i
        self.back_up_together()
        if self.amaf is not None:
            if leaf != NONE and not self.tree.nodes[leaf].terminal:
                remember_shared(self.tree, leaf, self.amaf, sim)
            for i in range(self.path.length):
                if self.backlog.copied[i] == NONE or self.backlog.passed == NULL:
                    self.amaf.update(self.tree.nodes[self.path.nodes[i]].amaf, sim, i)
        if self.backlog.passed != NULL:
            put_off(sim, &self.path, self.backlog)
            if self.backlog.n == BATCH:
                self.catch_up()
        else:
            if self.actions is not None:
                self.actions.update(sim)
            if self.ngrams is not None:
                self.ngrams.update(sim)
        tell(self, sim)

    cdef void back_up_together(self) noexcept nogil:
        """At busy nodes the backup counts in this thread's own copies."""
        cdef Backlog* backlog = self.backlog
        cdef Replica* replica
        cdef int n_roles = self.sim.n_roles, i, role
        cdef int32_t* edge
        cdef Edge* copy
        for i in range(self.path.length):
            if backlog.copied[i] == NONE:
                continue
            replica = &backlog.replicas[backlog.copied[i]]
            if replica.node != self.path.nodes[i]:      # forgotten meanwhile, for want of room
                foresee(self.tree, self.path.nodes[i], self.path.edges + i * n_roles, n_roles)
                continue
            replica.visits += 1
            for role in range(n_roles):
                edge = &self.path.edges[i * n_roles + role]
                if edge[0] != NONE:
                    edge[0] += replica.first - self.tree.nodes[replica.node].first
                    copy = &self.tree.edges[edge[0]]
                    copy.visits += 1
        self.backup.update(self.tree, &self.path, &self.sim)

    cdef void catch_up(self) noexcept nogil:
        """Statistics of moves see the simulations that were kept for them."""
        cdef Backlog* backlog = self.backlog
        cdef Simulation* sim
        cdef int32_t node
        cdef int k, i, deepest = 0
        for k in range(backlog.n):
            sim = &backlog.simulations[k]
            deepest = max(deepest, sim.tree_length)
            if self.actions is not None:
                self.actions.update(sim)
            if self.ngrams is not None:
                self.ngrams.update(sim)
        if self.amaf is not None:
            for i in range(deepest):        # simulations that passed the same node one after the other
                for k in range(backlog.n):
                    if i < backlog.simulations[k].tree_length:
                        node = backlog.passed[<Py_ssize_t>k * backlog.depth + i]
                        if node != NONE:
                            self.amaf.update(self.tree.nodes[node].amaf, &backlog.simulations[k], i)
        backlog.n = 0

    cdef inline bint broken(self) noexcept nogil:
        """Whether rules or strategies written in Python have raised."""
        return (
            self.state.failed or self.root.failed or self.selection.failed or self.playout.failed or self.backup.failed
            or (self.evaluation is not None and self.evaluation.failed) or (self.prunes is not None and self.prunes.failed)
            or (self.repair is not None and self.repair.failed)
        )
