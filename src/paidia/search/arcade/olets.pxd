# `Olets`: open-loop expectimax tree search, with the places where a variant of it adds something of its own.

from libc.stdint cimport int32_t, int64_t

from paidia.core.arcade cimport N_ACTIONS, ArcadeState
from paidia.core.model cimport move_t
from paidia.search.arcade.base cimport ArcadeSearch
from paidia.search.arcade.evaluation cimport Bounds

cdef enum:
    MAX_MEMORY = 64


ctypedef struct Node:
    int32_t parent
    int32_t children[N_ACTIONS]     # by action, -1: none
    int32_t n_s                     # simulations through it
    int32_t n_e                     # and those that ended in it
    double r_e                      # sum of their scores
    double r_m


cdef class Olets(ArcadeSearch):
    cdef ArcadeState state
    cdef Node* nodes
    cdef int32_t n_nodes
    cdef double terminal, root_score
    cdef Bounds bounds              # of scores, for who sets the parameters
    cdef int memory                 # ticks
    cdef int64_t n_trail            # ticks of this game so far
    cdef int32_t trail[MAX_MEMORY][2]       # where the avatar stood, a ring
    cdef move_t actions[N_ACTIONS]
    cdef int n

    # For variants: a simulation has played one action and `state` is its `depth`-th situation.
    cdef void stepped(self, int action, int depth) noexcept nogil
    # For variants: added to the score of the situation in which a simulation ended.
    cdef double bonus(self) noexcept nogil
    # The action to play once the time is up.
    cdef int final_action(self) noexcept nogil

    cdef int32_t new_node(self, int32_t parent) noexcept nogil
    cdef void simulate(self) noexcept nogil
    cdef int untried(self, const Node* node, const move_t* actions, int n) noexcept nogil
    cdef int select(self, const Node* node, const move_t* actions, int n) noexcept nogil
    cdef double mixed(self, const Node* node) noexcept nogil
    cdef double score_of(self, ArcadeState state) noexcept nogil
    cdef bint on_trail(self) noexcept nogil
