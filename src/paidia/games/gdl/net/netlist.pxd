# A net of AND gates over signed literals, the common form of all ground rules of a game.
#
# A literal is 2 * node, plus 1 where the node is denied; literal 0 is true, literal 1 false. OR(a, b) is the denial of
# AND(not a, not b), so the two forms of De Morgan's laws are one gate. Equal gates are one node. Inputs of a gate have
# smaller numbers than the gate itself: node order is an order of evaluation. The one exception is a LOOP node, the
# head of rules that depend on themselves; its definition is given afterwards, and its value is the least fixpoint.

from libc.stdint cimport int32_t, uint8_t

from paidia.core.machine.vectors cimport vector

cdef enum:
    TRUE = 0
    FALSE = 1

cdef enum:
    CONSTANT = 0
    BASE = 1        # a fluent of the state
    DOES = 2        # a move of a role; exactly one of each role is true in a joint move
    LOOP = 3
    GATE = 4


cdef class Netlist:
    cdef vector[int32_t] first          # the inputs of node i are pool[first[i]] .. pool[first[i + 1] - 1]
    cdef vector[int32_t] pool
    cdef vector[uint8_t] kind
    cdef vector[int32_t] place          # number of the fluent, move or loop that an input node stands for
    cdef vector[int32_t] definition     # the literal that defines a loop, by its number
    cdef vector[int32_t] loop_node
    cdef vector[int32_t] loop_group     # loops that depend on each other have the same group
    cdef vector[int32_t] does_role      # role of a move, by its number
    cdef vector[vector[int32_t]] role_does      # the nodes of all moves of a role
    cdef vector[int32_t] table          # hash table of gates
    cdef size_t n_gates

    cdef int32_t size(self)
    cdef int32_t add_input(self, int kind, int32_t place)
    cdef int32_t add_does(self, int32_t move, int32_t role)
    cdef int32_t add_loop(self, int32_t group)
    cdef int32_t make_and(self, vector[int32_t]& literals)
    cdef int32_t make_or(self, vector[int32_t]& literals)
    cdef int32_t split(self, vector[int32_t]& literals)
    cdef bint one_hot(self, vector[int32_t]& literals)
    cdef int32_t intern(self, vector[int32_t]& literals)
    cdef void grow(self)


# Values of a net of which only some inputs are known.
cdef enum:
    UNKNOWN = 2


cdef class Ternary:
    # Three-valued values of all nodes, kept up to date when an input changes. Loops count as inputs.
    cdef Netlist net
    cdef vector[uint8_t] value
    cdef vector[int32_t] n_false        # by gate: inputs known to be false
    cdef vector[int32_t] n_open         # by gate: inputs not known
    cdef vector[int32_t] reader_first
    cdef vector[int32_t] reader         # 2 * gate, plus 1 where it reads the denial
    cdef vector[int32_t] queue          # nodes that changed
    cdef vector[uint8_t] told           # the value that a node's readers know
    cdef vector[int32_t] touched        # every node whose value changed since the caller cleared this
    cdef bint starved                   # there was no memory for a change: the values are wrong from then on

    cdef void restrict(self, vector[uint8_t]& wanted)
    cdef int literal_value(self, int32_t literal) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef void change(self, int32_t node, int value) noexcept nogil
    cdef void propagate(self) noexcept nogil


# Carry the part of `old` that the roots need over into `new`. `image` holds the new literal of each old node, or -1
# where it is still to be made; input nodes must have one. Roots are replaced by their images. Gates with a
# single reader are flattened into it.
cdef void carry_over(Netlist old, Netlist new, vector[int32_t]& image, vector[int32_t]& roots)
