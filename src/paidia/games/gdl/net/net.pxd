# The propositional net of a game: what every fluent, move, goal and the end of play depend on.

from libc.stdint cimport int32_t, uint8_t

from paidia.core.machine.vectors cimport vector
from paidia.games.gdl.net.netlist cimport Netlist


cdef class Net:
    cdef readonly tuple roles           # as the sheet spells them
    cdef readonly list fluents          # text of each fluent that can change, by number
    cdef readonly list constant         # text of the fluents that are always true
    cdef readonly list moves            # by role: text of each move
    cdef Netlist netlist
    cdef vector[uint8_t] initial        # by fluent
    cdef vector[int32_t] base           # by fluent: its node
    cdef vector[int32_t] next           # by fluent: literal
    cdef vector[int32_t] does           # by move, roles one after the other: its node
    cdef vector[int32_t] legal          # by move: literal
    cdef vector[int32_t] first_move     # by role: number of its first move
    cdef int32_t terminal               # literal
    cdef vector[int32_t] goal           # literals
    cdef vector[int32_t] goal_role
    cdef vector[double] goal_value      # in 0 .. 1

    cdef void collect_roots(self, vector[int32_t]& roots)
    cdef void assign_roots(self, vector[int32_t]& roots)
