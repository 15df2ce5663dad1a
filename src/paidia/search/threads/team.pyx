"""Threads of one search: running them, and what those do that share a tree (see sharing.pxd for what they do to it).

A team of threads in one tree divides the budget simulation by simulation. When room gets scarce, each member waits after its
present simulation; the last one to come makes room for all.
"""

import threading
from functools import partial

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from paidia.core.machine.alarm cimport Bell, bell_here, hear
from paidia.core.machine.atomic cimport acquire, add_long, release, yield_core
from paidia.core.machine.memory cimport malloc
from paidia.core.model cimport move_t
from paidia.search.descent cimport Descent
from paidia.search.nodes.room cimport APART, CROWDED, EXHAUSTED, ROOMY
from paidia.search.threads.sharing cimport (
    BATCH, BUSY, COPIES, EDGES_LEFT, EDGES_TAKEN, MOST_MOVES, NODES_LEFT, REPLICAS, Backlog, settle,
)
from paidia.search.nodes.tree cimport NONE, Edge, Tree

from paidia.core.errors import BadInput
from paidia.search.threads.together import share_of


cdef int64_t NO_MATTER = 1 << 30        # simulations that no search comes to in its time: nobody counts them together


cdef size_t LONG = 1 << 16              # moves of a simulation, at most, of which no backlog is kept


cdef class Job:
    """Work for a thread that ends, like the one that gives it, when time is up there."""

    cdef object work
    cdef Bell* bell
    cdef object error

    def __init__(self, work):
        self.work, self.bell = work, bell_here()

    def __call__(self):
        hear(self.bell)
        try:
            self.work()
        except BaseException as error:      # raised by whoever waits for it
            self.error = error
        finally:
            hear(NULL)


def run_threads(own, others, stop):
    """Do `own` here and each of `others` in a thread; returns when all are done, and raises what one of them raised.

    `stop` is called, again and again, once `own` is done: it may tell the others to come to an end.
    """
    jobs = [Job(own), *map(Job, others)]
    threads = []
    error = None
    try:
        for job in jobs[1:]:
            thread = threading.Thread(target=job, name="paidia-search", daemon=True)
            thread.start()
            threads.append(thread)
    except RuntimeError:
        error = BadInput(f"this machine has no room for {len(jobs)} threads")
    if error is None:
        try:
            own()
        except BaseException as raised:
            error = raised
    for thread in threads:
        while thread.is_alive():
            stop(error is not None)
            try:
                thread.join(0.02)
            except BaseException as raised:     # a signal: they hear of it, and nobody leaves before they have
                error = error or raised
    for job in jobs[1:]:
        error = error or (<Job>job).error
    if error is not None:
        raise error


cdef bint small_share(Tree tree, int64_t edges):
    """Whether so many edges take next to nothing of the memory that a tree may have."""
    return 64 * edges * <int64_t>sizeof(Edge) <= tree.room.limit


cdef class Log:
    """The backlog of a member, as long as a search runs."""

    cdef Backlog backlog
    cdef Descent member
    cdef Tree tree

    def __cinit__(self, Tree tree, Descent member, int32_t edges):
        cdef Backlog* backlog = &self.backlog
        cdef size_t moves = (<size_t>member.max_depth + 1) * member.sim.n_roles
        cdef bint logs = moves < LONG and (
            member.amaf is not None or member.actions is not None or member.ngrams is not None)
        cdef bint once = member.amaf is not None and member.amaf.keys
        cdef int i
        self.tree, self.member = tree, member
        backlog.depth = member.max_depth + 1
        backlog.first_copy = NONE
        backlog.busy = BUSY
        for i in range(REPLICAS):
            backlog.replicas[i].node = NONE
        backlog.copied = <int32_t*>malloc(backlog.depth * sizeof(int32_t))
        backlog.passed = <int32_t*>malloc(BATCH * <size_t>backlog.depth * sizeof(int32_t)) if logs else NULL
        whole = backlog.copied != NULL and (backlog.passed != NULL or not logs)
        for i in range(BATCH if logs else 0):
            backlog.simulations[i] = member.sim
            backlog.simulations[i].moves = backlog.simulations[i].values = NULL
            backlog.simulations[i].keys = <move_t*>malloc(moves * sizeof(move_t))
            backlog.simulations[i].repeats.previous = <int32_t*>malloc(moves * sizeof(int32_t)) if once else NULL
            backlog.simulations[i].repeats.capacity = moves
            whole = whole and backlog.simulations[i].keys != NULL
            whole = whole and (not once or backlog.simulations[i].repeats.previous != NULL)
        if not whole:
            raise MemoryError()
        if small_share(tree, COPIES + APART) and (
                tree.n_edges + COPIES + APART + edges <= tree.edge_capacity or tree._grow_edges(
                    tree.n_edges + COPIES + APART + edges)):
            backlog.first_copy = tree.n_edges
            for i in range(COPIES + APART):     # the last ones keep the next thread's away
                tree.clear_edge(tree.n_edges + i, NONE, NONE)
            tree.n_edges += COPIES + APART
        member.backlog = backlog

    def __dealloc__(self):
        cdef int i
        free(self.backlog.copied)
        free(self.backlog.passed)
        for i in range(BATCH if self.backlog.passed != NULL else 0):
            free(self.backlog.simulations[i].keys)
            free(self.backlog.simulations[i].repeats.previous)

    def close(self):
        """The member has no backlog any more; numbers that it did not use are free, if they are the last."""
        cdef Backlog* backlog = &self.backlog
        if backlog.last_node == self.tree.n_nodes:
            self.tree.n_nodes = backlog.node
        if backlog.last_edge == self.tree.n_edges:
            self.tree.n_edges = backlog.edge
        self.member.backlog = NULL


cdef class Team:
    """The members of one search in one tree.

    Args:
        leader: Whose tree and statistics are shared; its clock says how many simulations all have together.
    """

    def __cinit__(self, Descent leader):
        self.tree, self.amaf, self.ngrams = leader.tree, leader.amaf, leader.ngrams
        self.limit, self.taken = leader.clock.limit, leader.clock.done
        self.max_moves = min(leader.game.max_legal * leader.game.n_roles, MOST_MOVES)

    def run(self, Descent leader, list helpers):
        """Simulate until the budget is used."""
        cdef Descent member
        cdef int64_t each = 0       # counted here, for all
        if self.limit > NO_MATTER:
            each, self.limit = self.limit // (1 + len(helpers)), 0
        for member in (leader, *helpers):
            member.clock.limit = each
        self._share(True, 1 + len(helpers))
        logs = [Log(self.tree, member, self.edges) for member in (leader, *helpers)]
        try:
            run_threads(partial(self._lead, leader), [partial(self._follow, member) for member in helpers], self._stop)
        finally:
            self._share(False, 0)
            for log in logs:
                log.close()

    def _share(self, bint shared, int members):
        self.tree.shared, self.tree.crowded = shared, ROOMY
        if self.amaf is not None:
            self.amaf.shared, self.amaf.crowded = shared, ROOMY
            self.amaf.free_outgrown()
        if self.ngrams is not None:
            self.ngrams.shared, self.ngrams.crowded = shared, ROOMY
        self.edges = 4 * EDGES_LEFT + 2 * self.max_moves + members * EDGES_TAKEN
        if shared:
            self.make_room()

    def _lead(self, Descent leader):
        with nogil:
            self.led = 1
            self.work(leader)
            self.led = 2
        if leader.stopping or leader.error is not None:
            self.ended = True

    def _follow(self, Descent member):
        with nogil:
            self.work(member)

    def _stop(self, bint failed):
        self.ended = self.ended or failed

    cdef void finish(self, Descent member) noexcept nogil:
        """Nothing is left to count."""
        member.catch_up()
        settle(self.tree, member.backlog)

    cdef void work(self, Descent member) noexcept nogil:
        acquire(&self.lock)
        self.running += 1
        release(&self.lock)
        while not self.ended:
            if self.crowded():
                self.wait()
            if not self.take():
                break
            if not member.next_simulation():
                break
            member.simulate()
            if member.broken():
                self.ended = True
        self.finish(member)
        acquire(&self.lock)
        self.running -= 1
        release(&self.lock)

    cdef bint take(self) noexcept nogil:
        """Whether one more simulation may begin; it is counted."""
        return self.limit == 0 or add_long(&self.taken, 1) < self.limit

    cdef bint crowded(self) noexcept nogil:
        return self.tree.crowded == CROWDED or (self.amaf is not None and self.amaf.crowded == CROWDED) or (
            self.ngrams is not None and self.ngrams.crowded == CROWDED)

    cdef void wait(self) noexcept nogil:
        """Until all members that are at work wait and one has made room.

        Nothing moves while the leader is not among them: between its simulations somebody may look at the tree (by a signal), and
        before and after them, too.
        """
        cdef int64_t rounds
        acquire(&self.lock)
        rounds = self.rounds
        self.waiting += 1
        while self.rounds == rounds:
            if self.led == 2 or self.ended:
                self.waiting -= 1
                self.give_up()
                break
            if self.led == 1 and self.waiting == self.running:
                self.make_room()
                self.waiting = 0
                self.rounds += 1
            else:
                release(&self.lock)
                yield_core()
                acquire(&self.lock)
        release(&self.lock)

    cdef void give_up(self) noexcept nogil:
        """What is left of the search does with the room that there is."""
        self.tree.crowded = EXHAUSTED
        if self.amaf is not None:
            self.amaf.crowded = EXHAUSTED
        if self.ngrams is not None:
            self.ngrams.crowded = EXHAUSTED

    cdef void make_room(self) noexcept nogil:
        """Nobody simulates now."""
        cdef bint there = self.tree.make_room(4 * NODES_LEFT, self.edges)
        self.tree.crowded = ROOMY if there else EXHAUSTED
        if self.amaf is not None:
            self.amaf.crowded = ROOMY if self.amaf.make_room() else EXHAUSTED
        if self.ngrams is not None and 2 * self.ngrams.used > self.ngrams.mask:
            self.ngrams.crowded = ROOMY if self.ngrams.grow() else EXHAUSTED


def run_together(Descent leader, list helpers):
    """The simulations of a search whose helpers share its tree."""
    cdef Descent helper
    cdef Team team
    for helper in helpers:
        helper.root = leader.root
    if leader.root_node == NONE:        # nobody can start anywhere else
        with nogil:
            if leader.next_simulation():
                leader.simulate()
        if leader.broken() or leader.root_node == NONE:
            return
    team = Team(leader)
    own = [(helper.tree, helper.actions, helper.ngrams, helper.amaf) for helper in helpers]
    for helper in helpers:
        follow(leader, helper)
    try:
        team.run(leader, helpers)
    finally:
        for helper, tables in zip(helpers, own):
            helper.tree, helper.actions, helper.ngrams, helper.amaf = tables
            helper._bind()
            add_up(leader, helper)


cdef follow(Descent leader, Descent helper):
    """Let a helper search what its leader does, with strategies of its own."""
    helper._begin_turns(leader.step, leader.playout.ahead)      # of its own statistics; the shared ones have had theirs
    helper.step, helper.started = leader.step, True
    helper.tree, helper.actions, helper.ngrams, helper.amaf = leader.tree, leader.actions, leader.ngrams, leader.amaf
    helper._bind()
    helper.root, helper.root_node, helper.role = leader.root.clone(), leader.root_node, leader.role
    helper.clock = leader.clock
    helper.clock.done = helper.clock.next_look = 0
    helper.clock.limit = 0
    helper.most_steps, helper.stopping = leader.most_steps, leader.stopping
    helper.steps = helper.deepest = 0
    memcpy(helper.vector, leader.vector, leader.width * leader.game.n_roles * sizeof(double))
    for strategy in helper._strategies():
        strategy.begin_search(helper.root, helper.role)


def run_apart(leader, list helpers, budget):
    """The simulations of a search whose helpers have trees of their own."""
    cdef Descent first = leader
    jobs = []
    busy = []
    for number, helper in enumerate(helpers):
        own = share_of(budget, 1 + number, 1 + len(helpers))
        if own is not None:
            jobs.append(partial(helper.help, first.root.clone(), own, first.role, first.step, first.playout.ahead))
            busy.append(helper)
    try:
        run_threads(leader._simulate, jobs, partial(_call_off, leader, busy))
    finally:
        for helper in busy:
            add_up(leader, helper)


def _call_off(Descent leader, list helpers, bint failed):
    """Stop the helpers, if their leader was stopped or could not go on."""
    if failed or leader.stopping or leader.error is not None or leader.broken():
        for helper in helpers:
            helper.stop()


cdef add_up(Descent leader, Descent helper):
    """What a helper has done is its leader's."""
    leader.clock.done += helper.clock.done
    helper.clock.done = 0
    leader.steps += helper.steps
    leader.deepest = max(leader.deepest, helper.deepest)
