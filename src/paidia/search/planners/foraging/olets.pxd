# `Olets`: open-loop expectimax tree search, with the places where a variant of it adds something of its own.

from libc.stdint cimport int32_t, int64_t

from paidia.core.model cimport Situation, move_t
from paidia.search.planners.base cimport RootSearch
from paidia.search.frame.scale cimport Bounds

cdef enum:
    MAX_MEMORY = 64


ctypedef struct Node:
    int32_t parent
    int32_t n_s                     # simulations through it
    int32_t n_e                     # and those that ended in it
    double r_e                      # sum of their scores
    double r_m


cdef class Olets(RootSearch):
    cdef Node* nodes
    cdef int32_t* children          # of node i by move: [i * n_moves + move], -1: none
    cdef int32_t n_nodes, max_nodes
    cdef int n_moves
    cdef double terminal, root_score
    cdef Bounds bounds              # of scores, for who sets the parameters
    cdef int memory                 # ticks
    cdef int64_t n_trail            # ticks of this game so far
    cdef int32_t trail[MAX_MEMORY][2]       # where the avatar stood, a ring

    # For variants: a simulation has played one action and `state` is its `depth`-th situation.
    cdef void stepped(self, move_t action, int depth) noexcept nogil
    # For variants: added to the score of the situation in which a simulation ended.
    cdef double bonus(self) noexcept nogil
    # The action to play once the time is up.
    cdef move_t final_move(self) noexcept nogil

    cdef int32_t new_node(self, int32_t parent) noexcept nogil
    cdef void simulate(self) noexcept nogil
    cdef int untried(self, int32_t node, const move_t* actions, int n) noexcept nogil
    cdef int select(self, int32_t node, const move_t* actions, int n) noexcept nogil
    cdef double mixed(self, int32_t node) noexcept nogil
    cdef double gain_of(self, Situation state) noexcept nogil
    cdef bint on_trail(self) noexcept nogil
