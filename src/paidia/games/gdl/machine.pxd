# The net laid out for play: flat tables that every state of a game reads.
#
# Nodes are numbered anew: 0 is true, then the fluents, then the gates whose values are always kept up to date (moves,
# end of play, fluents that change by themselves), then the gates that are evaluated only when asked for (goals,
# conditions of effects). A literal is 2 * node, plus 1 where the node is denied.

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libcpp.vector cimport vector

from paidia.games.gdl.net cimport Net
from paidia.games.gdl.turns cimport Group, Requirements

ctypedef struct Action:
    # What happens outside the net when a node flips: a move becomes legal or not, or a fluent becomes due to change.
    int32_t group           # -1: a fluent
    int32_t word
    uint64_t bit
    int32_t denied          # the move is legal while the node is false

ctypedef struct Tables:
    int32_t n_roles
    int32_t n_fluents       # fluents are nodes 1 .. n_fluents
    int32_t n_known         # nodes whose values are kept
    int32_t n_nodes
    int32_t n_groups
    int32_t n_words         # of legal moves, all groups
    int32_t n_due           # words of fluents that change by themselves
    int32_t terminal        # literal
    int32_t n_goals
    const int32_t* reader_first     # by node: the gates that read it ..
    const int32_t* reader_middle    # .. and, from here on, those that read its denial
    const int32_t* reader
    const int32_t* action_first     # by node
    const Action* action
    const int32_t* input_first      # by node; only gates have inputs
    const int32_t* input
    const int32_t* due_fluent       # by bit
    const int32_t* group_first      # by role
    const int32_t* guard_first      # by group
    const int32_t* guard
    const int32_t* word_first       # by group
    const int32_t* move_first       # by group
    const int32_t* move             # in the role's own numbering; rising in a group
    const uint8_t* idle             # by group: the role's one move while others play
    const int32_t* first_move       # by role: its moves among all moves
    const int32_t* goal
    const int32_t* goal_role
    const double* goal_value
    const uint64_t* code            # by node: the part of the key that a fluent is

    # A state is one block of memory with these parts.
    size_t block_size
    size_t legal_at                 # uint64 words: a bit for each move of each group
    size_t due_at                   # uint64 words: a bit for each fluent that is to change by itself
    size_t count_at                 # int32 by group: its moves that are legal, given its guards
    size_t counter_at               # uint16 by node: false inputs of a gate
    size_t value_at                 # uint8 by node


cdef class Machine:
    cdef readonly Net net
    cdef Tables tables
    cdef Requirements required
    cdef vector[Group] groups
    cdef vector[uint8_t] moving     # net node: depends on moves
    cdef vector[int32_t] image      # net node -> node here; -1: depends on moves, or nothing reads it
    cdef vector[uint8_t] due        # fluent: changes by itself, whatever is played
    cdef vector[uint8_t] start      # block of the initial state

    # The tables' storage.
    cdef vector[int32_t] reader_first, reader_middle, reader, action_first, input_first, input, due_fluent
    cdef vector[int32_t] group_first, guard_first, guard, word_first, move_first, move, goal
    cdef vector[Action] action
    cdef vector[uint64_t] code
    cdef vector[uint8_t] idle

    cdef int find_moving(self) except -1
    cdef void number_nodes(self)
    cdef void keep(self, vector[uint8_t]& kept, int32_t literal)
    cdef void lay_out_groups(self)
    cdef void lay_out_gates(self)
    cdef void lay_out_start(self)
    cdef int32_t translate(self, int32_t literal) noexcept nogil
