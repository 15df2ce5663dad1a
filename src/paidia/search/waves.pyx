# distutils: extra_compile_args = -O3
"""Simulations in waves: many go down the tree, then all are played to their ends together (see playout/lanes.pyx)."""

from libc.stdint cimport int32_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from paidia.core.lanes.leaves cimport Leaves
from paidia.core.machine.memory cimport malloc
from paidia.core.machine.now cimport now
from paidia.core.machine.rng cimport rng_next
from paidia.core.model cimport move_t
from paidia.search.descent cimport Descent
from paidia.search.nodes.tree cimport NONE, Edge, Node

cdef enum:
    FIRST = 128         # simulations of the first wave; later ones hold no more than are known
    FEWEST = 4          # waves that there must be time for


ctypedef struct Waiting:
    # A simulation that has left the tree and waits for its result.
    int length          # of its path
    int steps           # joint moves
    int32_t leaf
    bint new            # it added the leaf to the tree
    int32_t* nodes
    int32_t* edges
    move_t* moves


cdef inline void foresee(Descent search, int change) noexcept nogil:
    """Count the present path as visited, without a result; or no longer."""
    cdef int i, role, n_roles = search.sim.n_roles
    cdef Node* nodes = search.tree.nodes
    cdef Edge* edges = search.tree.edges
    for i in range(search.path.length):
        nodes[search.path.nodes[i]].visits += change
        for role in range(n_roles):
            if search.path.edges[i * n_roles + role] != NONE:
                edges[search.path.edges[i * n_roles + role]].visits += change


cdef class Waves:
    """The simulations of one search that wait for their results."""

    cdef Waiting* waiting
    cdef int most, depth

    def __cinit__(self, int most, int depth, int n_roles):
        cdef int i
        cdef size_t size = sizeof(int32_t) * depth * (1 + n_roles) + sizeof(move_t) * depth * n_roles
        cdef char* room
        self.most, self.depth = most, depth
        self.waiting = <Waiting*>malloc(most * (sizeof(Waiting) + size))
        if self.waiting == NULL:
            raise MemoryError
        room = <char*>(self.waiting + most)
        for i in range(most):
            self.waiting[i].nodes = <int32_t*>(room + i * size)
            self.waiting[i].edges = self.waiting[i].nodes + depth
            self.waiting[i].moves = <move_t*>(self.waiting[i].edges + depth * n_roles)

    def __dealloc__(self):
        free(self.waiting)

    cdef void keep(self, Descent search, int place, bint new) noexcept nogil:
        cdef Waiting* here = &self.waiting[place]
        cdef int n_roles = search.sim.n_roles
        here.length, here.steps, here.leaf, here.new = search.path.length, search.sim.length, search.path.leaf, new
        memcpy(here.nodes, search.path.nodes, here.length * sizeof(int32_t))
        memcpy(here.edges, search.path.edges, here.length * n_roles * sizeof(int32_t))
        memcpy(here.moves, search.sim.moves, here.steps * n_roles * sizeof(move_t))
        foresee(search, 1)

    cdef void return_to(self, Descent search, int place) noexcept nogil:
        """Stand where a simulation left the tree, its path no longer counted as visited."""
        cdef Waiting* here = &self.waiting[place]
        cdef int n_roles = search.sim.n_roles
        search.path.length, search.path.leaf = here.length, here.leaf
        search.sim.length = search.sim.tree_length = here.steps
        memcpy(search.path.nodes, here.nodes, here.length * sizeof(int32_t))
        memcpy(search.path.edges, here.edges, here.length * n_roles * sizeof(int32_t))
        memcpy(search.sim.moves, here.moves, here.steps * n_roles * sizeof(move_t))
        foresee(search, -1)

    cdef void learn(self, Descent search, int place, Leaves leaves) noexcept nogil:
        self.return_to(search, place)
        leaves.results(place, search.sim.results)
        search.settle()
        search.learn(self.waiting[place].leaf if self.waiting[place].new else NONE)

    cdef bint run(self, Descent search, Leaves leaves, double deadline) noexcept nogil:
        """One wave, unless it would come too late (0: it cannot); whether the search goes on."""
        cdef int places = FIRST, n = 0, tried = 0, i
        cdef bint new, known, going = True, over = True
        cdef double began = now(), played
        while (places < self.most and search.root_node != NONE
                and places < search.tree.nodes[search.root_node].visits):
            places *= 2
        if places > self.most:
            places = self.most
        if deadline > 0.0:
            while places > FIRST and began + leaves.expected(places) > deadline:
                places //= 2
            if began + leaves.expected(places) > deadline:
                return False
        leaves.begin(places)
        while n < places:
            # What waits must be over in time; many simulations may end in the tree and not wait.
            if deadline > 0.0 and tried & 15 == 15 and now() + leaves.lasted > deadline:
                break
            going = search.next_simulation()
            if not going:
                break
            tried += 1
            new = known = False
            search.go_down(&new, &known)
            if (known or search.path.leaf == NONE or search.tree.nodes[search.path.leaf].terminal
                    or search.path.length > self.depth):
                search.play_out(new, known)
            else:
                leaves.put(n, search.state)
                self.keep(search, n, new)
                n += 1
            if search.broken():
                going = False
                break
        if n == 0:
            return going
        played = -now()
        over = leaves.play(n, search.max_depth, deadline)
        played += now()
        for i in range(n):
            if over:
                self.learn(search, i, leaves)
            else:
                self.return_to(search, i)
        if not over:                    # as if they had never begun
            search.clock.done -= n
            search.clock.next_look = search.clock.done
        leaves.took(played if over else 2.0 * played, (now() - began - played) / tried)
        return going and over


def run_in_waves(Descent search not None):
    """Simulate until the budget is used; False where a wave takes too much of the time for that."""
    cdef Leaves leaves = search.playout.leaves
    cdef Waves waves = Waves(leaves.most, min(search.max_depth, 512), search.sim.n_roles)
    cdef double deadline = search.clock.deadline, most = (deadline - search.clock.began) / FEWEST
    cdef bint going = True
    leaves.seed(rng_next(&search.sim.rng))
    with nogil:
        if deadline > 0.0 and leaves.fit(FIRST, most) and leaves.lasted <= 0.0:     # how long does one take?
            waves.run(search, leaves, search.clock.began + most)
        going = deadline <= 0.0 or leaves.expected(FIRST) <= most
        while going and waves.run(search, leaves, deadline):
            pass
    return going


def first_wave(Leaves leaves not None):
    """Seconds that the first wave of a search will take; 0 if that is not known."""
    return leaves.expected(FIRST) if leaves.lasted > 0.0 else 0.0
