# distutils: extra_compile_args = -O3
"""Simulations in waves: many go down the tree, then all are played to their ends together (see playout/lanes.pyx)."""

from libc.stdint cimport int32_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from paidia.core.lanes.leaves cimport Leaves
from paidia.core.machine.memory cimport malloc
from paidia.core.machine.rng cimport rng_next
from paidia.core.model cimport move_t
from paidia.search.descent cimport Descent
from paidia.search.frame.clock cimport now
from paidia.search.nodes.tree cimport NONE, Edge, Node

cdef enum:
    FIRST = 16          # simulations of the first wave
    PART = 16           # a wave holds at most this part of the simulations that are known


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
    cdef double lasted          # seconds of the last wave, and of the one before
    cdef double before

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

    cdef void learn(self, Descent search, int place, Leaves leaves) noexcept nogil:
        cdef Waiting* here = &self.waiting[place]
        cdef int n_roles = search.sim.n_roles
        search.path.length, search.path.leaf = here.length, here.leaf
        search.sim.length = search.sim.tree_length = here.steps
        memcpy(search.path.nodes, here.nodes, here.length * sizeof(int32_t))
        memcpy(search.path.edges, here.edges, here.length * n_roles * sizeof(int32_t))
        memcpy(search.sim.moves, here.moves, here.steps * n_roles * sizeof(move_t))
        foresee(search, -1)
        leaves.results(place, search.sim.results)
        search.settle()
        search.learn(here.leaf if here.new else NONE)

    cdef bint run(self, Descent search, Leaves leaves) noexcept nogil:
        """One wave; whether the search goes on."""
        cdef int places = FIRST, n = 0, i
        cdef bint new, known, going = True
        cdef double began = now()
        if search.clock.deadline > 0.0 and self.before > 0.0 and (
                began + min(self.lasted, self.before) / 2 > search.clock.deadline):
            return False        # the better part of it would come too late
        while places < self.most and places * PART < search.clock.done:
            places *= 2
        if places > self.most:
            places = self.most
        leaves.begin(places)
        while n < places:
            going = search.next_simulation()
            if not going:
                break
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
        if n:
            leaves.play(n, search.max_depth)
        for i in range(n):
            self.learn(search, i, leaves)
        self.before, self.lasted = self.lasted, now() - began
        return going


def run_in_waves(Descent search not None):
    """Simulate until the budget is used."""
    cdef Leaves leaves = search.playout.leaves
    cdef Waves waves = Waves(leaves.most, min(search.max_depth, 512), search.sim.n_roles)
    leaves.seed(rng_next(&search.sim.rng))
    with nogil:
        while waves.run(search, leaves):
            pass
