# `Simulator`: how a tree search plays moves on copies of its root. Strategies that look aside (root preparation, pruning,
# repair of lost simulations) ask it for copies, moves, values, and room for situations in the tree.

from libc.stdint cimport int32_t

from paidia.core.model cimport Situation, move_t
from paidia.search.backup.base cimport Backup
from paidia.search.evaluation.base cimport Evaluation
from paidia.search.nodes.pool cimport StatePool
from paidia.search.frame.search cimport Search
from paidia.search.frame.simulation cimport Path, Simulation
from paidia.search.nodes.tree cimport Tree


cdef class Simulator(Search):
    cdef readonly Tree tree
    cdef readonly Evaluation evaluation     # None where goals are all there is
    cdef readonly Backup backup
    cdef Simulation sim
    cdef Path path
    cdef Situation state                    # of the present simulation
    cdef Situation spare                    # for a look aside
    cdef int32_t root_node                  # NONE until there is one
    cdef StatePool pool                     # situations that wait in the tree, each for one simulation; None if none may
    cdef int32_t* behind                    # the place of the one that waits behind the one at this place
    cdef readonly bint deterministic        # the game was found to be without chance
    cdef bint whole_playout                 # nodes for all moves of a playout, not for its first alone
    cdef bint reuses                        # some strategy keeps a part of the last tree
    cdef int horizon                        # of the present simulation: how far it plays

    # One step on a situation of this search.
    cdef void advance(self, Situation state, const move_t* joint) noexcept nogil
    # What a situation is worth to a role; the scale of all values widens with it.
    cdef double evaluate(self, Situation state, int role) noexcept nogil
    # Where is the present situation? And take down under which keys its moves are known.
    cdef void look_around(self) noexcept nogil
    cdef void take_down(self, const move_t* joint) noexcept nogil
    # Play a joint move in the present simulation, or take a situation that waits in `child`, where it leads to in the tree.
    cdef void follow(self, const move_t* joint, int32_t child) noexcept nogil
    # The situation after `sim.length` joint moves is there: its value, where a backup wants it.
    cdef void arrive(self) noexcept nogil
    # Let a copy of a situation wait for a simulation through a node, if there is such a node and room.
    cdef void put_aside(self, int32_t node, Situation state) noexcept nogil
    # Nodes for the moves of the playout, or for its first: the path grows by them.
    cdef void grow(self) noexcept nogil
    # The node behind a move of the one role, NONE if there is none; and made if need be; NONE where there is no room.
    cdef int32_t known_child(self, int32_t node, move_t move) noexcept nogil
    cdef int32_t child_of(self, int32_t node, move_t move) noexcept nogil
    # Count a result at one node alone, by a share; `before` is the value of the situation before it.
    cdef void credit(self, int32_t node, double result, double weight, double before) noexcept nogil
