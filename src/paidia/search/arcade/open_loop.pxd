# `OpenLoop`: Monte-Carlo tree search for video games in which only the root holds a situation. Every simulation plays
# the actions of its path again on a copy of the root, so that a node stands for all that its actions can lead to.
# A search is a subclass that says how a child is selected, how a play-out chooses, what a situation is worth, how
# results are backed up and which action is final.

from libc.stdint cimport int32_t

from paidia.core.arcade cimport ArcadeState
from paidia.core.model cimport move_t
from paidia.search.arcade.base cimport ArcadeSearch
from paidia.search.arcade.evaluation cimport Bounds
from paidia.search.arcade.open_tree cimport OpenTree
from paidia.search.width.pool cimport StatePool

cdef enum:
    MAX_DEPTH = 1024            # of a play-out
    MAX_LENGTH = 4096           # of a simulation


cdef class OpenLoop(ArcadeSearch):
    # how the phases are bounded; set once by the subclass
    cdef bint whole_playout         # nodes for the whole play-out, not for its first action alone
    cdef bint total_depth           # `depth` counts from the root, not from where the play-out starts
    cdef bint use_start             # search in the time before the game
    cdef bint noting                # call `leave` and `arrive`
    cdef int n_waiting              # states that may wait in the tree

    cdef int depth                  # of the present simulation
    cdef readonly OpenTree tree
    cdef Bounds bounds              # of all results of this game
    cdef ArcadeState state          # of the present simulation
    cdef ArcadeState spare          # for a look aside
    cdef StatePool pool             # states that wait in the tree, each for one simulation; None if none may
    cdef int32_t* behind            # the place of the state that waits behind the one at this place
    cdef int32_t path[MAX_LENGTH + 1]       # nodes of the present simulation, from the root
    cdef move_t played[MAX_LENGTH]          # actions between them
    cdef int length                 # actions of the present simulation
    cdef int selected               # how many of them were chosen in the tree
    cdef int last_node              # place in `path` of the last node that takes part in the backup
    cdef int deepest                # longest path in the tree of this tick
    cdef int prepared               # tick for which the tree was made before the game; -1: none

    # The tree of this tick; `prepare` and `decide` call it first.
    cdef void begin_tick(self) noexcept nogil
    cdef void read_parameters(self) noexcept nogil          # from `vector`
    cdef void simulate(self) noexcept nogil
    cdef void select(self) noexcept nogil
    cdef void play_out(self) noexcept nogil
    cdef void expand(self) noexcept nogil
    # Play an action in the present simulation, or take a state that waits in `child`, where it leads to in the tree.
    cdef void follow(self, int action, int32_t child) noexcept nogil
    # Let a copy of a state wait for a simulation through a node, if there is room.
    cdef void put_aside(self, int32_t node, ArcadeState state) noexcept nogil
    # Count a result at one node alone; `before` is the value of the situation before it.
    cdef void credit(self, int32_t node, double value, double weight, double before) noexcept nogil
    # The tree of the last tick is still of use, from this node on.
    cdef void keep_tree(self, int32_t root, double factor) noexcept nogil

    # What a subclass says.
    cdef void advance(self, ArcadeState state, int action) noexcept nogil   # one tick on a state of this search
    cdef void leave(self, int action) noexcept nogil        # an action is about to be played in `state`
    cdef void arrive(self) noexcept nogil                   # it was played: `state` is after action `length`
    cdef int choose_child(self, int32_t node, const move_t* actions, int n) noexcept nogil
    cdef int choose_playout(self, const move_t* actions, int n) noexcept nogil
    cdef double evaluate(self, ArcadeState state) noexcept nogil            # widens `bounds`
    cdef double result(self) noexcept nogil                 # of the simulation, before its backup
    cdef void backup(self, double result) noexcept nogil
    cdef int final_action(self) noexcept nogil
    cdef void end_tick(self, int action) noexcept nogil
