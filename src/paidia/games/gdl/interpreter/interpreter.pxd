# The second reasoner: a GDL game played by evaluating its rules in every position.

from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.mutex cimport mutex

from paidia.core.game cimport Game, State
from paidia.core.machine.vectors cimport vector
from paidia.core.model cimport MAX_ROLES, move_t
from paidia.games.gdl.interpreter.datalog cimport Datalog

cdef class InterpretedState


cdef class InterpretedGame(Game):
    cdef Datalog data
    cdef list _names                            # symbols as the sheet spells them
    cdef list _numbers                          # by role: text of a move in lower case -> its number, as far as asked
    cdef vector[vector[int32_t]] first, again   # of each group
    cdef vector[int32_t] position, goal_groups, following, dynamic
    cdef vector[int32_t] done                   # whether a group has been evaluated in the position of the tables
    cdef vector[int64_t] spent                  # rows looked at for a group, in all
    cdef int32_t r_true, r_does, r_legal, r_goal, r_next, r_terminal
    cdef vector[int32_t] start
    cdef vector[int32_t] role_term
    cdef vector[vector[int32_t]] move_term      # by role: move -> term
    cdef vector[vector[int32_t]] move_of        # by role: term -> move, -1 where there is none
    cdef vector[double] number                  # what a symbol is worth as a goal, in [0, 1]; -1: nothing
    cdef uint64_t serial                        # positions so far
    cdef uint64_t holder                        # number of the position in the tables
    cdef mutex lock                             # the tables serve one state at a time

    cdef void run_groups(self, const vector[int32_t]& groups) noexcept nogil
    cdef void hold(self, InterpretedState state) noexcept nogil
    cdef int32_t move(self, int role, int32_t term) noexcept nogil
    cdef void look(self, InterpretedState state) noexcept nogil
    cdef void play(self, InterpretedState state, const move_t* joint) noexcept nogil
    cdef void score(self, InterpretedState state, double* goals) noexcept nogil
    cdef void give_up(self, InterpretedState state) noexcept nogil


cdef class InterpretedState(State):
    cdef InterpretedGame rules
    cdef vector[int32_t] facts
    cdef uint64_t serial
    cdef uint64_t key_
    cdef bint over
    cdef bint ruled             # by `terminal`
    cdef int reason             # why it has failed
    cdef int mover
    cdef vector[vector[move_t]] lists
