# distutils: extra_compile_args = -O3
"""`Simulator`: how a tree search plays moves on copies of its root (see simulator.pxd)."""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free

from paidia.core.machine.bits cimport mix
from paidia.core.model cimport NO_MOVE, Situation, move_t
from paidia.core.machine.rng cimport rng_next
from paidia.search.backup.base cimport EVALUATED
from paidia.search.evaluation.base cimport plain_value
from paidia.search.frame.scale cimport widen
from paidia.search.nodes.tree cimport NONE


cdef inline void step(Simulator search, Situation state, const move_t* joint) noexcept nogil:
    search.steps += 1
    if search.evaluation is None or not search.evaluation.watches:
        state.c_play(joint)
        return
    search.evaluation.before(state)
    state.c_play(joint)
    search.evaluation.after(state)


cdef class Simulator(Search):
    """Base of the tree search."""

    def __dealloc__(self):
        free(self.behind)

    cdef void branch(self, Situation state, Situation origin) noexcept nogil:
        state.c_copy(origin)
        if self.game.chance:
            state.c_seed(rng_next(&self.sim.rng))

    cdef void advance(self, Situation state, const move_t* joint) noexcept nogil:
        step(self, state, joint)

    cdef double evaluate(self, Situation state, int role) noexcept nogil:
        cdef double value = self.evaluation.value(state, role)
        widen(&self.sim.bounds, value)
        return value

    cdef void look_around(self) noexcept nogil:
        if self.sim.keyed:
            self.sim.place = self.state.c_place()

    cdef void take_down(self, const move_t* joint) noexcept nogil:
        cdef Simulation* sim = &self.sim
        cdef move_t* keys = sim.keys + <Py_ssize_t>sim.length * sim.n_roles
        cdef int role
        if sim.keyed:
            for role in range(sim.n_roles):
                keys[role] = NO_MOVE if joint[role] == NO_MOVE else sim.place * sim.n_moves + joint[role]

    cdef void follow(self, const move_t* joint, int32_t child) noexcept nogil:
        cdef int32_t place = self.tree.node_more[child].waiting if child != NONE and self.pool is not None else NONE
        if self.sim.keyed:
            self.take_down(joint)
        if place != NONE:
            self.state.c_copy(<Situation>self.pool.states[place])
            self.tree.node_more[child].waiting = self.behind[place]
            self.pool.give_back(place)
        else:
            step(self, self.state, joint)
        self.sim.length += 1
        if self.sim.values != NULL:
            self.arrive()

    cdef void arrive(self) noexcept nogil:
        self.sim.values[self.sim.length] = (
            self.evaluate(self.state, 0) if self.backup.wants_values == EVALUATED else plain_value(self.state, 0)
        )

    cdef void put_aside(self, int32_t node, Situation state) noexcept nogil:
        cdef int32_t place = self.pool.store(state) if node != NONE else NONE
        if place != NONE:
            self.behind[place] = self.tree.node_more[node].waiting
            self.tree.node_more[node].waiting = place

    cdef int32_t known_child(self, int32_t node, move_t move) noexcept nogil:
        cdef int32_t edge
        for edge in range(self.tree.nodes[node].first, self.tree.nodes[node].first + self.tree.nodes[node].n_edges):
            if self.tree.edges[edge].move == move:
                return self.tree.edges[edge].child
        return NONE

    cdef int32_t child_of(self, int32_t node, move_t move) noexcept nogil:
        cdef int32_t edge = self.tree.edge_of(node, 0, move)
        if edge == NONE or self.tree.edges[edge].child != NONE:
            return NONE if edge == NONE else self.tree.edges[edge].child
        return self.tree.add_sequence(node, edge, mix(self.tree.nodes[node].key, <uint64_t>(move + 2)), False)

    cdef void grow(self) noexcept nogil:
        cdef int32_t node = self.path.leaf, child
        cdef move_t move
        cdef int end = self.sim.length if self.whole_playout else min(self.sim.length, self.path.length + 1)
        while self.path.length < end and node != NONE and self.sim.moves[self.path.length] != NO_MOVE:
            move = self.sim.moves[self.path.length]
            if self.tree.nodes[node].n_edges == 0:
                child = self.tree.extend(node, move, mix(self.tree.nodes[node].key, <uint64_t>(move + 2)))
            else:
                child = self.child_of(node, move)
            if child == NONE:
                break
            self.path.nodes[self.path.length] = node
            self.path.edges[self.path.length] = self.tree.node_more[child].incoming
            self.path.length += 1
            node = child
        self.path.leaf = node

    cdef void credit(self, int32_t node, double result, double weight, double before) noexcept nogil:
        self.backup.credit(self.tree, self.tree.node_more[node].incoming, result, weight, before, &self.sim)
