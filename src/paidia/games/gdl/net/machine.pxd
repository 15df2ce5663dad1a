# The net laid out for play: flat tables that every state of a game reads.
#
# Nodes are numbered anew: 0 is true, then the fluents, then the gates whose values are always kept up to date (moves,
# end of play, fluents that change by themselves), last those that only say whether one move is legal (the ends of the
# net), then the gates that are evaluated only when asked for (goals, conditions of effects), at last moves and what
# depends on them. A literal is 2 * node, plus 1 where the node is denied.

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t

from paidia.core.machine.vectors cimport vector
from paidia.games.gdl.net.net cimport Net
from paidia.games.gdl.net.turns cimport Group, Requirements

ctypedef struct Action:
    # What happens outside the net when a node flips: a move becomes legal or not, or a fluent becomes due to change.
    uint64_t bit
    int32_t word            # among the words of legal moves; behind them those of fluents that are due, then loops

ctypedef struct Node:
    # Who has to know when a node flips.
    int32_t reader          # the gates that read it stand from here in `Tables.reader` ..
    int32_t reader_end      # .. of which those from here are ends of the net ..
    int32_t denier          # .. and those that read its denial from here ..
    int32_t denier_end      # .. the ends of the net from here ..
    int32_t stop            # .. to here
    int32_t action          # its actions in `Tables.action`
    int32_t n_actions

ctypedef struct MoveGroup:
    # Moves of one role behind common guards; see turns.pyx.
    int32_t guard           # a literal; 0 (true) where there is none
    int32_t more_guards     # more of them, in `Tables.guard`
    int32_t n_more
    int32_t word            # the bits of its moves in the words of legal moves
    int32_t n_words
    int32_t move            # its moves in `Tables.move`
    int32_t idle            # the role's one move while others play

ctypedef struct LoopGroup:
    # Loops that depend on each other; see `settle_loops` in kernel.pyx.
    int32_t first           # their nodes are first .. first + n - 1
    int32_t n
    int32_t word            # a bit for each: its value is not that of its definition
    int32_t n_words
    int32_t support         # literals in `Tables.support` that hold them up from outside
    int32_t n_support

ctypedef struct Tables:
    int32_t n_roles
    int32_t n_fluents       # fluents are nodes 1 .. n_fluents
    int32_t n_inputs        # then come loops, up to here
    int32_t first_end       # from here to n_known - 1: gates that only say whether a move is legal
    int32_t n_known         # nodes whose values are kept
    int32_t n_nodes
    int32_t n_groups
    int32_t n_words         # of legal moves, all groups
    int32_t n_due           # words of fluents that change by themselves
    int32_t n_loop_words
    int32_t n_loop_groups
    int32_t terminal        # literal
    int32_t n_goals
    int32_t n_changing      # fluents whose next value depends on the moves
    const Node* node
    const int32_t* reader
    const Action* action
    const int32_t* end_bit          # by node - first_end: its bit in the words of legal moves
    const int32_t* input_first      # by node; only gates have inputs
    const int32_t* input
    const int32_t* due_fluent       # by bit
    const int32_t* changing         # pairs: a fluent's node, and the literal of its next value
    const int32_t* does             # by move, of all roles: its node
    const MoveGroup* group
    const LoopGroup* loop_group     # in an order in which they can be evaluated
    const int32_t* support
    const int32_t* group_first      # by role
    const int32_t* guard
    const int32_t* move             # in the role's own numbering; rising in a group
    const int32_t* first_move       # by role: its moves among all moves
    const int32_t* goal
    const int32_t* goal_role
    const double* goal_value
    const uint64_t* code            # by node: the part of the key that a fluent is; 0 for loops

    # A state is one block of memory with these parts, the key first.
    size_t block_size
    size_t legal_at                 # uint64 words: a bit for each move of each group
    size_t due_at                   # uint64 words, right behind: a bit for each fluent that is to change by itself
    size_t counter_at               # uint16 by node: false inputs of a gate
    size_t value_at                 # uint8 by node
    size_t support_at               # uint8 by support of loops: its value when the loops were last evaluated


cdef class Machine:
    cdef readonly Net net
    cdef Tables tables
    cdef Requirements required
    cdef vector[Group] groups
    cdef vector[uint8_t] moving     # net node: depends on moves
    cdef vector[int32_t] image      # net node -> node here; -1: nothing reads it
    cdef vector[uint8_t] due        # fluent: changes by itself, whatever is played
    cdef vector[uint8_t] start      # block of the initial state

    # The tables' storage.
    cdef vector[Node] node
    cdef vector[MoveGroup] group
    cdef vector[LoopGroup] loop_group
    cdef vector[Action] action
    cdef vector[int32_t] definition, support, changing, does, reader, end_bit, input_first, input
    cdef vector[int32_t] due_fluent, group_first, guard, move, goal
    cdef vector[uint64_t] code

    cdef int find_moving(self) except -1
    cdef int number_nodes(self) except -1
    cdef void find_ends(self, vector[uint8_t]& live, vector[uint8_t]& ends)
    cdef void reach(self, vector[uint8_t]& reached, int32_t literal)
    cdef void lay_out_loops(self)
    cdef void lay_out_groups(self)
    cdef void lay_out_inputs(self)
    cdef void lay_out_readers(self)
    cdef int32_t add_readers(self, vector[int32_t]& gates)
    cdef void lay_out_start(self)
    cdef void evaluate_start(self, uint8_t* value, uint16_t* counter)
    cdef int32_t translate(self, int32_t literal) noexcept nogil
