"""Lanes of any game with goals, stepped one after the other in one kernel call: boards, and rule sheets without a net."""

import numpy as np

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport calloc, free

from paidia.core.game cimport Game, State
from paidia.core.model cimport MAX_ROLES, NO_MOVE, move_t

from paidia.core.errors import BadInput


cdef class StateLanes:
    """States of one game, side by side; arrays are filled in place by every call.

    Attributes:
        in_turn: Whether one role moves at a time at the start; then a lane takes one action, else one for each role.
        rewards: (lanes, roles): goals where a match has ended, else 0.
        over, illegal: (lanes,).
    """

    cdef readonly Game game
    cdef readonly int n
    cdef readonly bint in_turn
    cdef readonly object rewards, over, illegal
    cdef list states
    cdef State start
    cdef void** lanes               # borrowed from `states`
    cdef float[:, ::1] _rewards
    cdef uint8_t[::1] _over, _illegal

    def __init__(self, Game game not None, int lanes):
        cdef int i
        if not 1 <= lanes <= 1 << 20:
            raise BadInput(f"there are 1 to {1 << 20} lanes, not {lanes}")
        self.game, self.n = game, lanes
        self.start = game.initial_state()
        if self.start.c_terminal():
            raise BadInput(f"{game.id}: the game is over at once; there is nothing to play")
        self.in_turn = self.start.c_mover() >= 0
        self.rewards = np.zeros((lanes, game.n_roles), np.float32)
        self.over, self.illegal = np.zeros(lanes, np.bool_), np.zeros(lanes, np.bool_)
        self._rewards, self._over, self._illegal = self.rewards, self.over.view(np.uint8), self.illegal.view(np.uint8)
        self.states = [game.initial_state() for _ in range(lanes)]
        self.lanes = <void**>calloc(lanes, sizeof(void*))
        if self.lanes == NULL:
            raise MemoryError
        for i in range(lanes):
            self.lanes[i] = <void*>self.states[i]

    def __dealloc__(self):
        free(self.lanes)

    def begin(self, seeds=None):
        """Start all lanes anew; `seeds` are those of chance in the rules."""
        cdef int i
        for i in range(self.n):
            (<State>self.lanes[i]).c_copy(self.start)
            if seeds is not None:
                (<State>self.lanes[i]).c_seed(int(seeds[i]))
        self.rewards[:], self.over[:], self.illegal[:] = 0, False, False

    def play(self, const int32_t[:, ::1] actions):
        """Play in every lane; an action that is not legal becomes the first legal one."""
        cdef int i, role, n_roles = self.game.n_roles, mover, n, k
        cdef move_t joint[MAX_ROLES]
        cdef double values[MAX_ROLES]
        cdef const move_t* moves
        cdef move_t said
        cdef State state
        for i in range(self.n):
            state = <State>self.lanes[i]
            self._over[i] = self._illegal[i] = 0
            mover = state.c_mover()
            for role in range(n_roles):
                joint[role] = NO_MOVE
                self._rewards[i, role] = 0
                if mover >= 0 and role != mover:
                    continue
                n = state.c_legal(role, &moves)
                if n == 0:
                    continue
                said = actions[i, 0 if self.in_turn else role]
                joint[role] = moves[0]
                for k in range(n):
                    if moves[k] == said:
                        joint[role] = said
                        break
                else:
                    self._illegal[i] = 1
            state.c_play(joint)
            if state.failed:
                state.check()
            if state.c_terminal():
                state.c_values(values)
                for role in range(n_roles):
                    self._rewards[i, role] = values[role]
                self._over[i] = 1
                state.c_copy(self.start)

    def legal(self, uint8_t[:, ::1] out):
        """Write what is legal: by lane, the moves of the role to move, or of all roles one after the other."""
        cdef int i, role, mover, n, k, width = self.game.n_moves
        cdef const move_t* moves
        cdef State state
        out[:] = 0
        for i in range(self.n):
            state = <State>self.lanes[i]
            mover = state.c_mover()
            for role in range(self.game.n_roles):
                if mover >= 0 and role != mover:
                    continue
                n = state.c_legal(role, &moves)
                for k in range(n):
                    out[i, (0 if self.in_turn else role * width) + moves[k]] = 1

    def movers(self):
        """(lanes,) the role to move, -1 where any may."""
        cdef int i
        cdef int32_t[::1] out
        found = np.empty(self.n, np.int32)
        out = found
        for i in range(self.n):
            out[i] = (<State>self.lanes[i]).c_mover()
        return found

    def observe(self, uint8_t[:, ::1] out):
        """Write what can be seen in each lane, one row for each."""
        shape = self.game.observation_shape
        rows = np.asarray(out).reshape(self.n, *shape)
        for state, row in zip(self.states, rows, strict=True):
            state.observe(row)

    def state(self, int lane):
        """A copy of the position in a lane."""
        if not 0 <= lane < self.n:
            raise BadInput(f"lanes are 0 to {self.n - 1}, not {lane}")
        return self.states[lane].copy()
